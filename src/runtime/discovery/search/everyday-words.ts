import { tokenize } from "./terms.js";

/**
 * Words of APIs, each with everyday words of people who ask for such things. They do not apply in
 * reverse: `film` may mean `video`, but few videos are films.
 */
const everydayWords = `
  abort: interrupt quit; absence: miss; abuse: insult misuse; access: clearance door enter entitled
  entrance key login open reach unlocked; account: bookkeeping books broker finance firm holder iban
  login partner registration signup tax; achievement: badge; acknowledge: ack noticed read taken;
  action: command deed operation step task; active: begin live running start switch turn; activity:
  behavior doing done feed happening leisure movement recent workout; ad: advertise; adapter: card
  driver interface nic; add: append attach bring enlist include introduce join upload; additional:
  extra; addon: extra; address: home house postal street zip; adjustment: fix; admin: boss chief
  head lead manager superuser; advertisement: ad advert; agent: representative worker; aggregate:
  combined group overall sum total; agreement: consent legal nda signed; alarm: siren threshold;
  album: gallery; alert: attention breach danger emergency exceed high low noise remind suspicious
  threshold watch; alias: redirect shorthand synonym; all: entire everybody everyone list; allergy:
  allergic; allocation: assigned distribution occupied reserved share taken used; allow: unblock
  whitelist; allowlist: except ignore; amount: bucks dollar euro much quantity sum; analysis:
  evaluate examine insight study; analytics: development engage figures grew growth impression kpi
  numbers performance statistics traffic trend viewer visitors; animation: gif; annotation:
  highlight label mark tagged; announcement: banner news noticeboard; annual: yearly; anomaly:
  unusual; anonymize: anonymous; answer: respond solution; apikey: credential key secret token; app:
  bot client program sender service software tool; appointment: book checkup date dentist slot;
  approve: agree consent decide decision ok okay permission release sign signoff; archive: away
  backup finished keep obsolete old past put shelve storage store zip; area: boundary place region;
  article: knowledge page text; artifact: binary build file image output package result; artist:
  perform; assess: evaluate exam review test; asset: file image item media property resource;
  assign: allocate delegate duty equip hand instruct job owner plate responsible; assignee:
  responsible; assistant: helper; association: relation relationship; attachment: add enclose
  enclosed pdf picture plug receipt scan; attempt: failed try; attendance: absent people present
  rsvp showed visitor; attribute: characteristic detail feature property; auction: bid; audience:
  group listeners people target; audio: music record song sound speech spoken; audit: compliance
  deleted logged who; authentication: access password sign; author: blame creator reporter wrote;
  authorization: allowed consent hold mandate permission; autocomplete: complete search suggest
  typing; automation: schedule trigger; availability: bookable clash occupied open stock vacancy
  vacant; avatar: profile; award: badge medal prize; background: wallpaper; backup: safe save;
  badge: achievement award medal status; balance: afford arrears cash credit left owed owes
  remaining worth; ban: banish blacklist exclude expel forbid kick spammer troll; bank: institution
  money; banner: ad header notice; barcode: code ean scan sku; batch: bulk bunch hundred list lot
  many mass multiple once overnight several thousand; beneficiary: iban; benefit: compensation
  insurance perk; bet: odds; bill: owe; billing: owe pay payment subscription; binding: attach
  connect link; birth: age born old; blacklist: ban block exclude forbid; block: abuse blacklist
  forbid head paragraph prevent prohibit quarantine restrict spammer stop troll unwanted; board:
  card forum kanban project; booking: appointment stay; bookmark: remember; bot: automated robot;
  branch: line; branding: appearance colors company label logo look make theme; broadcast: all
  everyone live mass send; browse: explore; bucket: files folder storage; budget: allowance cap
  money; bug: error flaw glitch; build: ci compilation release; bulk: bunch many mass multiple once
  several; bundle: group kit pack package set; business: firm shop; busy: occupied overlap; cache:
  stale stored temporary; calculate: compute estimate figure much work; calendar: appointments date
  holidays plan; call: ring speak talk telephone voice; callback: url; camera: photo picture video;
  campaign: ad advert advertise marketing promotion; cancel: call churn discontinue interrupt quit
  recall undo unsend withdraw; candidate: hire recruit; capability: feature supports; capacity: full
  limit room size space; capture: charge collect record screenshot shoot take; card: debit
  mastercard plastic visa; carrier: dhl fedex provider shipper ups; cart: bag shopping trolley;
  case: matter; cash: money; cast: play; catalog: assortment range; category: forum group heading
  section sort; certificate: age cert diploma encryption https license padlock rating; change:
  different downgrade drift switch upgrade; channel: stream; chapter: part scene; character: person
  role; charge: cost debit fee money price; chart: diagram plot; checkin: arrive visit; checkout:
  buy cart order pay purchase; child: baby nested sub youngster; choice: option; choose: pick
  select; city: town; claim: insurance own take; classification: categorize category detect kind
  label sort; clean: tidy wash; cleanup: free old reclaim remove tidy; clear: clean forget reset;
  click: link opened tap visitor; client: app browser device phone; clip: excerpt highlight; close:
  dismiss shut; cloud: hosted server; cluster: farm fleet group machines servers; code: number
  program snippet; collaborator: coworker partner teammate together; collection: album gather
  library; column: swimlane; command: instruction order shell; comment: explain opinion reason
  thought; commitment: pledge promise push; company: employer firm startup; compare: difference
  versus; competency: skill; competition: league tournament; complete: answer ask final generate gpt
  graduate prompt question ready success write; compliance: audit gdpr law legal rules; component:
  module part piece widget; compromised: hacked; concert: gig; condition: ache diagnose fever injury
  pregnant require rule sick symptom; conference: call; configure: setup tune; conflict: clash
  overlap; connect: hook integration network plug plugin reach session source; consent: agree agreed
  allow cookies gdpr permission terms; consumption: burn spent; contact: buddy counterpart customer
  donor engage husband lawyer lead partner people reach relate spouse touch wife; container: box
  docker; content: body data inside material stuff text; continue: carry; contractor: deal
  freelancer lease terms; contribution: author donation member payment who work; conversation:
  convert discussion goal messages sale signup; convert: change; copy: mirror; correct: typo; cost:
  burn charge money spent; count: headcount tally; country: land nation where; coupon: code percent
  promo rebate redeem; courier: postman; course: classroom curriculum learn lecture teach trainee;
  cover: front; create: arrange cut declare draw initiate install introduce lodge newest prepare
  produce raise record request save submit; creator: author influencer; credential: access login
  username; credit: balance compensate deposit money prepaid refund; currency: bitcoin dollar euro
  money pound; current: running; cursor: page position; customer: company patron person subscriber
  tenant wholesaler; customize: tailor; cut: trim; cycle: period restart toggle turn; dashboard:
  board overview panel screen; data: information numbers records; database: sql storage; dataset:
  collection data examples; date: anniversary; deactivate: discontinue fire off stop turn; deal:
  bargain offer sale; debit: charge pay withdraw; declaration: customs; decrease: fall fewer;
  default: normal preferred primary standard usual; delayed: late; delegate: deputy; delete: bin
  clean decommission disappear gone lose scrub shred throw tidy uninstall unsend vanish; delivery:
  arrive courier sent transport; deny: forbid; department: division unit; departure: depart trainee;
  depend: rely; dependency: blocker library requires; dependent: child spouse; deploy: install
  launch live publish push ship version; deposit: fund money pay payment; deprecated: obsolete
  outdated retire; deprovision: decommission; describe: explain text; destination: address goal
  target where; detach: unmount; detect: find identify recognize spot; device: appliance browser
  camera doorbell fleet hardware machine mobile phone printer router screen tablet tech tv;
  diagnosis: diagnose; diet: vegan; diff: difference; digest: hash summary; directory: list users;
  disable: off offline shut stop switch turn; disconnect: unplug; discount: bargain cheaper
  clearance offer percent reduction sale; discovery: find scan search; disk: drive; dismiss: ignore;
  display: screen; dispute: complain complaint disagree fight; distance: away kilometer kilometre
  mile mileage; distribute: spread; disturb: alone bother; dns: nameserver; doctor: dentist medic;
  document: agreement knowledge letter manuscript nda notebook paper paperwork passport print proof
  scan writing; documentation: guide; domain: address name web; donation: donor money pledge
  sponsor; dosage: dose; down: dead unreachable; download: copy grab save; downvote: dislike; draft:
  pen prepare proposal sketch unfinished unpublished unsent; driver: chauffeur; due: overdue owed;
  duplicate: double same twice; duration: elapsed lasted time; earnings: profit; edit: amend
  background correct fix retouch revise trim typo; eligibility: qualify; email: letter mailbox
  message newsletter; embedding: semantic; emoji: icon smiley; employee: headcount hire onboard
  personnel workforce; enable: allow switch turn; encrypt: key protect secret secure; energy:
  electricity; engine: motor; enroll: class course join register sign; entitlement: access allowed
  feature included right; entity: object record thing; entry: line; environment: variable;
  equipment: gear; error: break broke bug damage failing failure fault mistake wrong; escalate: hand
  higher raise urgent; estimate: approximate cost forecast guess price roughly; evaluate: judge
  quality rate score test try; event: anniversary behavior concert diary gig lunch news occurrence
  shows tour wedding workshop; everyone: anybody; evidence: document proof screenshot; exchange:
  convert market trade; exclude: ignore leave out skip; execute: job perform ran result; exercise:
  workout; exit: quit; expense: receipt spent; experiment: ab variant; expiration: long until valid;
  expire: invalid out run; expiry: date end until valid; explain: understand; export: backup copy
  csv excel extract save; expose: leak; extension: addon plugin; external: outsider remote;
  extraction: ocr parse pull read recognize text; face: person recognize; facet: count filter group
  values; facility: building location parking site; factor: authenticator second; failed: bounce
  broke broken crash stuck; failure: error; family: category class group household; fastest:
  quickest; favorite: enjoy favor heart love; fax: telefax; feature: capability function idea; fee:
  charge commission toll; feed: news posts stream timeline; feedback: complaint opinion praise
  rating; field: question; file: downloadable draw image paper pdf stuff upload; filter: condition
  narrow only restrict; fine: custom teach train tune; firewall: block security; firmware: software
  update version; fix: mend repair; flag: important mark switch toggle; flight: plane; floor:
  building level plan; flow: automation process sequence series workflow; folder: container; follow:
  audience chase track watcher; football: soccer; forecast: estimate expected future; forgot: lost
  password reset; form: fields paperwork; forum: board discussion; forward: expose open port route
  send; fraud: criminal fake risk suspicious theft; friend: buddy pal; front: homepage; fuel: gas
  petrol; fulfill: deliver delivery order ship; function: code method; fund: charge deposit pay top;
  gallery: album photos pictures; gateway: bridge entrance entry router; gc: free reclaim; gender:
  sex; generate: draw paint produce; genre: kind style type; geo: location map place; geofence:
  boundary fence; gift: present; gist: snippet; global: everywhere; goal: aim; grade: result;
  grocery: shopping; group: category circle club family people pool set; guardian: mom; guest:
  anonymous external outsider traveller; guide: documentation help manual; hardware: cpu machine
  ram; header: banner title top; health: behave broken fine ok running up well working; height:
  tall; help: guide; hide: disappear hidden ignore remove suppress unlist vanish withhold; hire:
  employ recruit; history: before blame earlier heard historic past previous seen watched; hold:
  keep own pause reserve shares stock stop; holiday: off; host: computer serve; hostname: name
  server; hotel: inn lodging room stay; hours: open overtime; household: family; identify:
  recognize; identity: person user verify who; ignore: skip; image: background banner draw gallery
  graphic painting shot wallpaper xray; immunization: jab vaccinate; immutable: overwrite; import:
  bring load migrate pull; inactive: dead idle untouched; inbound: arrived came incoming received
  reply; inbox: mail mailbox received; incident: breach break down emergency failure fault trouble
  wake; incoming: arrive inbound receive revenue; incorrect: wrong; increase: boost enlarge expand
  gain lift; index: list; industry: business field sector; info: data facts; ingredient: recipe;
  injury: hurt; input: entered entry field value; insert: inject; insight: statistics; inspect:
  examine look; install: add deploy monthly part payment set setup up; instance: cloud computer
  copy; institution: bank organization school; instructor: coach trainer tutor; insurance: cover
  coverage insurer; integration: app connect github hook jira link plugin slack; interaction:
  activity contact engagement; interest: hobby topic; interval: often period; intrusion: attack
  hacker security; invalid: expired; inventory: goods hosts items machines quantity restock servers
  shortage sold supply; invitation: ask; invite: accept asked bring collaborate colleague newcomer;
  invoice: charge owe owes pay payment; iso: disc image; isolate: quarantine; issue: complaint fault
  flaw glitch matter trouble; item: gear stuff thing; job: process running work; join: add become
  participate; journal: entry log; key: code password; keyword: search term word; kill: end
  terminate; kudos: praise; lab: blood; label: mark marker postage stamp sticker; language: english
  german; late: overdue; latency: delay fast lag performance slow speed; layer: level; layout:
  arrangement design template; lead: customer head interested; league: competition sport tournament;
  lease: dhcp taken; leave: quit resign sick; ledger: account balance bookkeeping books; level:
  battery stage step volume; library: collection; license: copyright permit right; light: bulb;
  like: enjoy love praise; limit: allowance cap curb exhausted maximum quota restrict; line: item
  row; link: address embed relate relationship; listing: ad advert all apartment appear enumerate
  gather offer overview property queue roster sale; load: busy; loan: borrow lend mortgage; locale:
  country french german region translation; location: desk destination elsewhere live near shelf
  site spot warehouse workplace; lock: hold overwrite prevent seal; log: error phoned wrote; login:
  access enter sign; logo: brand; lookup: barcode check; lost: miss; lot: batch parcel; lowest:
  cheap cheapest; loyalty: loyal; machine: device; mailbox: box; main: home primary; maintenance:
  planned repair upgrade window; malware: virus; manager: head lead leader; manifest: daily end
  handover list shipping; map: geography; mapping: assign connect translate; mark: flag label set
  tick; market: exchange odds trade; match: compare fit fixture hit soccer; measure: reading size
  unit; media: picture press; medication: dose drug pill prescribe tablet treatment; meeting:
  standup; member: belong classmate contractor crew everyone freelancer guy guys inhabitant intern
  join newcomer roommate roster teammate; memory: ram storage; mention: name; menu: food list meal;
  merchant: dealer seller store; merge: mix together unite; message: apologize email farewell
  goodbye greet note notification push speak talk thank warn welcome; metadata: custom details extra
  information tags; meter: measure reading usage; method: way; metric: figure number ram; mfa:
  authenticator; migration: move transfer upgrade; mileage: kilometer kilometre mile; milestone:
  phase; minor: child; model: gpt type version; moderation: abuse harmful hate inappropriate insult
  offensive review rude safe; modified: touch; module: chapter part section unit; monitor: check
  observe track uptime watch; month: period; move: go shift; movie: cinema; mute: alone bother
  ignore noise silent; name: call surname; namespace: group project space; nearby: neighbor;
  network: connection internet lan router subnet vpn wifi; new: beginner unknown; next: skip; note:
  reason remember text thought; notification: know message noise notice poke push remind signal
  warn; now: immediately; number: digits serial; object: thing; odometer: mileage; offer: bargain
  bid deal discount price sell special; office: desk practice workplace; official: referee; offline:
  unreachable; old: outdated; onboarding: new start welcome; open: outstanding; opening: hours;
  operation: action job process task; opportunity: chance sale; optimize: improve; option: choice
  possibility value variant; optout: stop; orchestration: automation workflow; order: bought invest
  procure sale sell sold; organization: firm team tenant; origin: source; outage: down; outbound:
  outgoing sent; outlet: shop store; output: result show; overdue: arrears late unpaid; overview:
  glance; own: personal; owner: belong boss head lead leader own responsible shareholder; package:
  box bundle pack plan wrap; page: article homepage landing screen site tab web wiki; parameter:
  input option setting; parcel: box; parent: mom; parse: extract read understand; part: section;
  participant: join; partner: affiliate company; party: organization person; password: forgot
  forgotten locked login passcode; patch: change fix; path: way; patient: baby sick; pause: break
  hold rest sleep; pay: money settle; payable: owe owed; payee: beneficiary; payer: customer
  insurance insurer; payment: bank billing cash deposit dividend dollar euro fund paid transfer
  wallet; payout: bank earning money withdraw; payroll: paycheck payday wage; payslip: paycheck;
  pdf: print; peer: connection neighbor; penalty: fee; pending: backlog outstanding stuck;
  performance: fast lag results; period: month quarter range season time; permission: entitle
  forbidden privacy protect reader restrict viewer; person: celebrity contact customer human man
  somebody woman; phone: cell; photo: portrait selfie snap; pickup: collect courier driver; picture:
  portrait; pin: code marker passcode sticky top; ping: check test; pinned: top; pipeline: ci
  process; place: spot; plan: downgrade package premium upgrade; platform: system; play: watch;
  player: scorer; playlist: album music songs; plugin: addon extension integration; point: location;
  policy: automatic regulation; pool: group set; popular: bestseller viral; populate: fill; port:
  connection customer open page socket website; portfolio: invest stocks; position: invest place
  rank shares; post: story tweet zip; postage: stamp; postpone: defer; power: electricity;
  practitioner: nurse; precipitation: umbrella; predict: expect guess; preference: like; prefix:
  area code start; prescription: drug pharmacy refill; presence: away; presentation: slide; preview:
  before glimpse look peek show; previous: prior; price: afford cheap cheapest expensive much pricey
  quote rates worth; print: paper pdf; priority: high hurry important rush urgent; privacy: data
  gdpr personal; private: confidential hidden personal secret unlist; problem: diagnose trouble;
  procedure: surgery treatment; process: handle job run; product: barcode grocery merchandise shirt
  shop warranty; profit: earning loss margin; program: course software; progress: far percent;
  project: board work workspace; promote: advertise boost raise sale upgrade; prompt: ask question;
  property: apartment attribute dwelling flat house; proposal: draft offer pitch suggestion;
  protect: defend guard prevent safe; provider: company dentist psychologist supplier vendor vet;
  provision: set up; proxy: gateway; prune: free reclaim; public: anybody article everybody everyone
  expose magazine visible; publish: appear company distribute expose launch live media online public
  spread; purchase: bought procure; purge: clean cleanup; push: notify send; qualification: degree
  skill; quality: good grade; quantity: amount; query: ask inquire; question: quiz; queue: backlog
  jam later waitlist; quota: allowance exhausted full limit room space; quote: price; radius: near;
  random: surprise; range: period; ranking: best leaderboard order place position top; rating: cost
  happy hourly opinion price review speed stars tariff; reaction: heart like response; read: viewer;
  reblog: boost; rebuild: install; receipt: bill confirmation delivered paid; receivable: owe owed;
  received: arrive; recharge: credit prepaid top; recipe: cook food; recipient: beneficiary payee
  people receiver; reconciliation: books compare match; recording: audio call clip footage minute
  replay shoot tape; recover: back forgot forgotten heal; recurring: daily monthly regular; redact:
  erase scrub; redeem: coupon use voucher; redirect: url; reduce: cut fewer lower shorten shrink
  smaller; reference: friend invite link recommend; refresh: renew update; refund: apologize back
  compensate money repay reverse; regenerate: rotate; region: area datacenter location territory
  where; register: declare enlist join sign; registration: acquire buy; registry: docker images
  packages; regulation: law; reject: veto; related: connection link relationship same; release:
  edition hotfix launch premiere; remaining: leftover rest; remind: chase due forget later notify
  nudge remember; reminder: forget; remove: forget gone lift strike strip take throw uninstall;
  rename: call; renew: expire extend prolong rotate; rental: hire; reorder: drag; repair: fix;
  replace: exchange instead; replicate: copy mirror sync; reply: respond; report: aftermath burndown
  figure graph headcount illegal insult loss misuse numbers offend outcome overview police profit
  quarter result revenue spam spreadsheet statement statistics subordinate summarize troll velocity
  violate; repository: code git project; repost: retweet; representative: rep; request: application
  demand order; resend: again lost once; reservation: dinner hold keep stay taken; reset: back clear
  forgot forgotten; resize: crop enlarge expand upgrade; resolution: quality solution; resolve:
  decide handle settle; resource: cpu desk hardware memory ram server thing; responsible: ask gpt
  liable question rsvp; restart: again resume; restaurant: dinner eat food; restore: accidentally
  back earlier reset saved; restricted: blocked confidential forbid forbidden limit prevent prohibit
  protect strict; result: answer outcome pass score; resume: carry; retention: days delete expire
  keep long newest old; retire: decommission pension; retry: again attempt repeat resend; return:
  back comeback send; revenue: earning gain income money profit sale sales; reverse: back undo;
  revert: back reverse; review: check decision evaluate inspect judge opinion proofread rating stars
  think vet; revision: change; revoke: hacked take; reward: cashback prize redeem; ride: cab taxi;
  risk: danger fraud unsafe; role: administrator allowed; rollback: back roll; room: classroom
  lounge place suite; roster: squad; rotate: change new renew; route: commute itinerary quickest
  road way; router: gateway network; rule: always condition never whenever; run: perform playbook;
  salary: compensate income; sale: revenue sell sold; sales: revenue sold; sample: demo example;
  sandbox: test try; satisfaction: happy; save: record remember; scale: fewer; scan: examine read
  virus; scenario: case situation; schedule: ahead arrange arrive book daily defer duty evening
  fixture future hourly later lineup meet night regular repeat roster timetable weekly; schema:
  fields format structure; scope: permission range; score: leaderboard points risk; scoreboard:
  ranking; screen: check display monitor; screenshot: capture picture shot; script: program; search:
  explore google hit inquire passage seek; season: year; seat: place; secret: hidden vault; section:
  part; secure: safe; security: guard hacked hole password protection suspicious; seek: jump;
  segment: customers; select: choose pick; seller: merchant shop; send: dispatch distribute email
  forward mail pass push resend; sensitive: full secret; sensor: reading temperature; sent:
  outgoing; sentiment: feeling mood; sequence: order series steps; series: set; server: cloud
  computer; service: mechanic offering program utility; session: browser device lecture lesson
  logged signed visit workshop; settlement: pay; setup: install; share: distribute embed retell
  spread together; shift: duty hours roster; shipment: box courier freight send transport; show:
  appear reveal; sign: approve; signature: contract; signup: join; similar: same; site: homepage
  hosting location place web; size: big dimension large length; skill: ability; skip: ignore jump
  next; sku: article product; slot: free time; sms: text; snapshot: back camera copy freeze image
  moment picture state; snippet: code text; snooze: alone bother; social: facebook network twitter;
  software: app installed program; sort: arrange order rank tidy; source: origin; space: workspace;
  spam: fake unwanted; speech: aloud audio read say speak talk; speed: fast quick; spend: money;
  split: cut partition separate; sponsor: backer donor supporter; ssl: encrypted padlock; staff:
  nurse personnel; stage: phase step; standing: ranking table; star: important rate; start: go
  initiate; statement: account bank report; station: place radio; statistic: figure numbers scorer
  statistics; statistics: count figures many numbers often popular report; status: away battery
  behave broken failing finished go going happening live mood occupied offline running situation
  stage tweet; step: stage; sticker: emoji; stock: available quantity shortage; stop: interrupt quit
  shut; storage: files full memory vault; store: retail; story: post; stream: arrive realtime video;
  street: road; student: classmate kid trainee; style: theme; submit: fill form lodge; subscription:
  abo billing contract customer fan listener plan premium reader recurring renewal tariff trial
  watcher; subtask: part step; subtitle: caption; suggestion: hint idea tip; sum: total; summary:
  brief digest glance overview short summarize total; supplier: dealer; support: care; surcharge:
  extra fee; survey: feedback opinion; suspend: hold sleep; swap: change switch; switch: change;
  symptom: ache pain; sync: latest match synchronize update; synonym: alias same word; system:
  platform server; table: data; target: aim destination; task: chore plate work; teacher: professor;
  team: crew opponent people squad; temperature: cold heating hot; template: canned example layout
  model reusable sample standard starter style theme; tenant: customer flatmate organization renter
  resident; term: semester word; terminate: fire kill resign sack; test: blood demo fake lab quiz
  trial try works; text: paragraph passage sentence sms subtitles word writing; theater: cinema;
  theme: design layout look style; thermostat: heating; threat: phishing virus; threshold: limit;
  throughput: speed; thumbnail: preview; ticket: complain complaint docket; time: clock elapsed long
  minute spent; timeline: feed; timer: clock stopwatch; timesheet: overtime; timezone: hours; title:
  head headline; token: access script; tool: app; top: front highest; topic: discussion forum theme
  thread; topup: refill; total: sum; track: arrive caption follow melody parcel subtitles trace tune
  where; trade: buy deal sell; traffic: jam; trail: history; trainer: coach; training: course learn
  teach; transaction: book bought movement paid purchase sale statement; transcript: spoken;
  transcription: audio dictation minutes recording said spoken subtitle text words written;
  transfer: hand money pass pay relocate send wire; transform: change crop; transit: bus trainee;
  translation: english french german spanish; transport: bus train; trash: garbage junk rubbish;
  treatment: cure; trending: hot viral; trial: free test; trigger: cause fire when whenever; trip:
  cab itinerary tour; tunnel: vpn; unanswered: miss; unban: unblock; unblock: allow unban; undo:
  accidentally mistake reverse; unhide: reveal; uninstall: remove; unit: apartment measure; unpaid:
  overdue; unpublish: hide offline; unsubscribe: mails stop; upcoming: ahead soon; update: improve
  mend mistake revise touch typo; upgrade: better improve newer; upload: add put send; upsert: add
  create insert save; uptime: down; urgent: hurry priority; url: shorten; usage: burn busy consume
  memory much spent; user: author contractor driver freelancer friend guy guys intern mate newcomer
  onboard recruit rep represent resident spammer staff stakeholder student teammate trainee victim
  viewer volunteer voter; username: handle; utilization: busy usage; vacation: away; vaccine: jab
  shot; validation: correct exists; value: number option worth; variable: env option setting value
  version; variant: color option size version; vault: safe; vector: semantic similar; vehicle: bike
  bus fleet lorry truck van; vendor: contractor dealer tradesman wholesaler; venue: pub theater;
  verify: identity proof prove real trust; version: earlier edition newest previous; video: film
  footage movie reel; view: hit impression watch; viewer: reader; violation: offence; virtual: vm;
  visibility: hidden see visible; visit: checkup; visitor: tourist; vital: fever; vlan: network
  subnet; voice: call; void: invalid; volume: drive louder loudness quieter sound; vote: choose;
  vpn: tunnel; vulnerability: exploit flaw hole weakness; wager: bet; wallet: money prepaid;
  warehouse: storage; warning: problem wrong; watch: observe; watched: seen; watchlist: later
  sanctions; weather: sunny; webhook: call event finished listener push receive server url when;
  weight: heavy weigh; welcome: greet; whitelist: allow; widget: component; winner: champion;
  wireless: wifi; withdraw: cancel recall; word: term; work: job; worker: runner; workflow: process;
  working: hours; workout: exercise run training; workspace: project studio; zone: boundary fence`;

const apiStems = new Map<string, readonly string[]>();
for (const line of everydayWords.split(";")) {
  const [word = "", ...everyday] = tokenize(line);
  for (const stem of everyday) apiStems.set(stem, [...(apiStems.get(stem) ?? []), word]);
}

/** Stems that APIs use for an everyday word. */
export const apiWordsOf = (stem: string): readonly string[] => apiStems.get(stem) ?? [];
