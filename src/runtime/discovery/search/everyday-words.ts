import { askedWords } from "./asked-words.js";
import { tokenize } from "./terms.js";

/**
 * Words of everyday language, each with words of APIs for what people mean. They do not apply in
 * reverse: `film` may mean `video`, but few videos are films.
 */
const everydayWords = `
  abuse: block; accidentally: restore undo; ache: symptom condition; ad: advertisement campaign;
  advert: advertisement campaign; advertise: campaign promote ad; afford: balance price; aftermath:
  report; ahead: upcoming schedule; aim: goal target; album: collection gallery playlist; allergic:
  allergy; allowance: quota limit; alone: mute snooze disturb; amend: edit; anniversary: date
  event; anonymous: anonymize; anybody: public everyone; apartment: property listing unit;
  apologize: message refund; appear: list show publish; appliance: device; arrange: schedule
  create; arrears: overdue balance; arrive: delivery received schedule; article: page; attempt:
  retry; authenticator: factor mfa; author: creator user; away: presence vacation status; baby:
  child patient; backer: sponsor; backlog: queue pending; badge: award achievement; ban: blacklist;
  banner: announcement header image; barcode: product lookup; bargain: deal offer discount;
  battery: level status; beginner: new; behave: status health; behavior: event activity; belong:
  member owner; beneficiary: recipient payee; bestseller: popular; bet: wager; bid: offer auction;
  bike: vehicle; billing: payment subscription; bin: delete; bitcoin: currency; blacklist: block
  ban; blame: history author; blocker: dependency; blood: lab test; board: project dashboard; book:
  appointment schedule transaction; boost: promote increase reblog; borrow: loan; boss: owner;
  bother: disturb snooze mute; bought: order purchase transaction; bounce: failed; boundary:
  geofence zone area; box: package mailbox; breach: incident alert; break: incident error pause;
  brief: summary; bring: add import; broke: failed error; broken: failed status; broker: account;
  browser: device session; bucks: amount; buddy: friend contact; bulb: light; bunch: batch bulk;
  burn: usage consumption; burndown: report; bus: vehicle transit; busy: usage load; cab: ride
  trip; camera: device snapshot; caption: track; care: support; carry: continue resume; cash:
  payment balance; cashback: reward; celebrity: person; cell: phone; champion: winner; chapter:
  module; chase: remind follow; cheap: price lowest; cheapest: price lowest; checkup: appointment
  visit; child: minor dependent; choose: select; chore: task; churn: cancel; cinema: theater movie;
  clash: conflict availability; classmate: student member; classroom: course room; clean: delete
  clear purge; cleanup: purge; clearance: discount; clip: recording; clock: time; cloud: server
  instance; club: group; coach: trainer instructor; cold: temperature; collaborate: invite;
  comeback: return; commission: fee; commute: route; compensate: refund credit salary; complain:
  ticket dispute; complaint: ticket dispute; computer: server; concert: event; confidential:
  private restricted; consume: usage; contractor: user member vendor; cook: recipe; copyright:
  license; correct: edit; counterpart: contact; courier: shipment; crash: failed; crew: team
  member; criminal: fraud; crop: transform resize; curb: limit; cure: treatment; curriculum:
  course; customs: declaration; cut: reduce create split; daily: schedule recurring; damage: error;
  danger: risk alert; dead: inactive down; dealer: merchant vendor; decide: approve resolve;
  decision: approval review; declare: create register; decommission: delete deprovision retire;
  defend: protect; defer: postpone schedule; demand: request; demo: sample test; dentist: doctor
  provider appointment; depart: departure; deposit: payment credit; deputy: delegate; desk: office
  location resource; destination: target location; diagnose: problem diagnosis condition; diary:
  event; digest: summary; dinner: reservation restaurant; diploma: certificate; disappear: delete
  hide; discontinue: cancel deactivate; discussion: topic conversation; dislike: downvote; dismiss:
  close; distribute: send share publish; dividend: payment; docket: ticket; dollar: amount payment;
  donor: donation contact; door: access; doorbell: device; dose: medication; downgrade: change
  plan; downloadable: file; draw: create image file; drift: change; driver: user; drug: medication
  prescription; duty: shift schedule; dwelling: property; earlier: history; earning: revenue payout
  profit; edition: version release; elapsed: duration time; electricity: energy power; elsewhere:
  location; email: send message; embed: share link; emergency: incident alert; employ: hire;
  engage: contact analytics; enjoy: like favorite; enlarge: resize increase; enlist: add register;
  entire: all; entitle: permission; entrance: access; equip: assign; erase: redact; error: log
  failure; estimate: forecast; euro: amount payment; evaluate: review assess; evening: schedule;
  event: webhook; everybody: all public; everyone: all members public; examine: inspect; example:
  sample template; exercise: workout; exhausted: quota limit; expand: increase resize; expel: ban;
  expensive: price; expired: invalid; explain: describe comment; exploit: vulnerability; explore:
  search browse; expose: public publish; extra: additional addon; failing: error status; failure:
  error incident; fake: fraud spam test; fall: decrease; family: group household; fan: subscriber;
  farewell: message; farm: cluster; fault: error incident; favor: favorite; fee: charge; fence:
  geofence zone; fever: condition vital; fewer: decrease reduce scale; fight: dispute; figure:
  metric report statistic; fill: submit populate; film: video; final: complete; fire: terminate
  trigger deactivate; firm: company organization account; fit: match; fixture: match schedule;
  flat: property; flaw: bug issue vulnerability; fleet: vehicle device; footage: video recording;
  forbid: block restrict deny; forget: clear remove; forgot: reset password recover; forgotten:
  reset password recover; forum: category board topic; forward: send; freelancer: user member
  contractor; freight: shipment; friend: user; front: cover top; full: quota storage; function:
  feature; fund: payment deposit; future: scheduled; gain: increase revenue; gallery: album image;
  garbage: trash; gas: fuel; gather: collect list; gear: equipment item; gif: animation; gig: event
  concert; glance: summary overview; glimpse: preview; glitch: bug issue; go: start move status;
  gone: deleted removed; goodbye: message; goods: inventory; google: search; grab: download;
  graduate: complete; graph: report; greet: message welcome; grocery: product; guard: protect
  security; guess: estimate predict; guide: documentation help; guy: user member; guys: user
  member; hacked: compromised security revoke; handle: process resolve username; happening:
  activity; happy: satisfaction rating; head: owner lead manager title block; headcount: employee
  count report; headline: title; heal: recover; heating: thermostat temperature; helper: assistant;
  hidden: private hide; high: priority; hint: suggestion; hire: employee; historic: history; hit:
  search view; hobby: interest; hold: pause suspend lock; home: address main; homepage: site page
  front; hosting: site; hot: temperature; hotfix: release; hourly: rate schedule; house: property
  address; household: family; hurry: priority urgent; hurt: injury; husband: contact; iban: account
  beneficiary; idea: suggestion feature; idle: inactive; ignore: mute dismiss exclude skip;
  illegal: report; image: snapshot; immediately: now; important: priority star flag; impression:
  analytics view; improve: update optimize; include: add; income: revenue salary; influencer:
  creator; inhabitant: member; initiate: start create; inject: insert; injury: condition; inn:
  hotel; inquire: query search; inspect: review; install: deploy setup create rebuild; instead:
  replace; instruct: assign; insult: report abuse; insurer: insurance payer; intern: user member;
  interrupt: stop cancel; introduce: add create; invest: portfolio position order; itinerary: trip
  route; jab: vaccine immunization; jam: queue traffic; join: add member participant; judge:
  review; jump: skip seek; junk: spam trash; kanban: board; kid: student; kill: terminate;
  kilometer: distance mileage; kilometre: distance mileage; knowledge: article document; lab: test;
  lag: latency performance; landing: page; late: overdue delayed; later: schedule queue; launch:
  deploy release publish; law: regulation; lawyer: contact; layout: template theme; lead: manager
  owner contact; leader: owner manager; leaderboard: ranking score; league: competition; leak:
  expose; lease: contract; lecture: course session; leftover: remaining; legal: agreement; leisure:
  activity; lend: loan; length: size; lesson: session; liable: responsible; lift: increase remove;
  lineup: schedule; list: all; listener: subscriber webhook; live: status active location; lodge:
  submit create; logo: branding; look: theme; lorry: vehicle; lose: delete; loss: profit report;
  lot: batch; louder: volume; lounge: room; love: like favorite; lower: reduce; loyal: loyalty;
  lunch: event; magazine: publication; mail: send; mailbox: inbox email; mandate: authorization;
  manuscript: document; margin: profit; marker: label pin; market: exchange; mass: bulk batch;
  mate: user; matter: issue case; meal: menu; mechanic: service; medal: award badge; medic: doctor;
  meet: schedule; melody: track; memory: storage usage; mend: fix update; merchandise: product;
  mile: distance mileage; mileage: odometer distance; minute: time record; mirror: copy replicate;
  miss: absence unanswered lost; mistake: error undo update; misuse: abuse report; mix: merge;
  mobile: device; mom: parent guardian; mood: status; mortgage: loan; movement: transaction; movie:
  video; music: audio; nda: agreement document; near: location radius; neighbor: nearby; newcomer:
  user invite member; newest: created; news: feed; night: schedule; noise: notification alert mute;
  notebook: document; notice: notification banner; noticeboard: announcement; nurse: staff
  practitioner; observe: watch monitor; obsolete: deprecated archive; occupied: busy status
  availability; odds: bet market; offence: violation; offend: report; offer: proposal discount;
  offline: disable status; okay: approve; onboard: user employee; opinion: review rating feedback;
  opponent: team; option: value choice; order: sort; origin: source; outcome: result; outdated: old
  deprecated; outgoing: sent outbound; outsider: external guest; outstanding: pending open;
  overdue: unpaid late due; overlap: conflict busy; overtime: hours timesheet; overview: summary
  dashboard report list; owe: receivable payable; owed: balance due receivable payable; own: owner;
  pack: bundle package; pain: symptom; pal: friend; panel: dashboard; paper: document; paperwork:
  document form; paragraph: text block; parking: facility; participate: join; partition: split;
  partner: contact account; pass: send transfer; passage: text; passcode: password pin; patron:
  customer; pause: hold; pay: transfer; paycheck: payroll payslip; payday: payroll; payee:
  recipient; peek: preview; pen: draft; pension: retirement; people: contact; perform: run execute
  artist; period: range month; personal: private own; personnel: employee staff; petrol: fuel;
  pharmacy: prescription; phase: stage; phishing: threat; phoned: log; pick: select choose; pill:
  medication; pitch: proposal; plane: flight; plate: assigned task; platform: system; pledge:
  donation commitment; plot: chart; plug: connect; poke: notify; police: report; pool: group;
  portrait: photo picture; postman: courier; pound: currency; practice: office; praise: like kudos;
  pregnant: condition; premiere: release; premium: subscription plan; prepare: draft create;
  prescribe: medication; present: attendance gift; press: media; prevent: block restrict lock;
  pricey: price; primary: default main; print: document pdf; printer: device; prior: previous;
  priority: urgent; privacy: permission visibility; prize: reward award; procure: purchase order;
  produce: create generate; professor: teacher; profit: revenue earnings report; prohibit: block
  restrict; project: workspace; promise: commitment; proof: evidence document; proofread: review;
  protect: permission restrict; prove: verify; psychologist: provider; pub: venue; pull: import;
  push: send deploy; qualify: eligibility; quantity: stock; quarantine: isolate block; quarter:
  period report; queue: list; quickest: route fastest; quieter: volume; quit: leave cancel exit;
  quiz: question test; quote: price; radio: station; raise: create; range: period; rank: sort;
  rating: review; reach: contact; reader: viewer permission; ready: complete status; reason:
  comment note; recall: cancel withdraw; receive: incoming webhook; recognize: detect identify;
  record: save create audio; recruit: candidate hire user; redeem: coupon reward; reel: video;
  referee: official; refill: topup prescription; register: enroll; regular: recurring schedule;
  relate: link contact; relationship: link; reload: refresh; relocate: transfer; rely: depend;
  remember: save bookmark reminder; remind: notification alert; remote: external; renter: tenant;
  rep: representative user; repair: fix maintenance; repay: refund; repeat: schedule retry; replay:
  recording; reporter: author; represent: user; request: create; require: condition; resend: send
  retry; reset: restore; resident: tenant user; resign: leave terminate; respond: reply answer;
  rest: remaining pause; restock: inventory; restrict: permission limit block; resume: restart;
  retail: store; retell: share; retire: deprecate; retweet: repost; reveal: show unhide; revenue:
  sales report income; reverse: undo refund revert; revise: update edit; ring: call; risk: fraud
  score; roll: rollback; roommate: member; roster: schedule member list; rotate: renew regenerate;
  router: device network; rsvp: response attendee; rubbish: trash; running: active current status;
  rush: priority; sack: terminate; safe: secure vault protect; sale: order transaction deal
  revenue; save: create; scene: chapter; score: result; scorer: player statistic; screen: display
  device; scrub: delete redact; seal: lock; season: period; second: factor; secret: private;
  section: category part; secure: encrypt; seek: search; select: choose; selfie: photo; sell: order
  sale offer; seller: merchant; semester: term; separate: split; serial: number; serve: host;
  settle: pay resolve; shareholder: owner; shares: position holding; shelf: location; ship:
  fulfill; shirt: product; shoot: capture record; shop: product; shortage: stock inventory;
  shorten: reduce url; shot: image screenshot vaccine; shows: event; shred: delete; shrink: reduce;
  shut: close stop disable; sick: leave condition; signal: notification; silent: mute; site:
  location; situation: status; sketch: draft; skill: competency; skip: exclude next ignore; sleep:
  pause suspend; slide: presentation; smaller: reduce; snap: photo; snippet: code gist; soccer:
  football match; sold: sales order inventory; solution: resolution; soon: upcoming; sound: audio
  volume; source: origin; spam: junk report; spammer: block ban user; speak: message call;
  spending: transaction; spent: expense cost usage transaction time; sponsor: donation; spot:
  location place; spouse: contact dependent; spread: share publish distribute; squad: team roster;
  staff: user; stage: status step; stakeholder: user; standup: meeting; starter: template; startup:
  company; statement: report transaction; stay: booking reservation; step: stage; sticky: pin;
  stop: disable; story: post; street: address; strict: restrict; strike: remove; strip: remove;
  stuck: failed pending; student: user; studio: workspace; stuff: item file content; style: theme
  template; submit: create; subordinate: report; subtitles: text track; success: complete; suite:
  room; sum: total amount; summarize: summary report; sunny: weather; supply: inventory; surgery:
  procedure; surname: name; surprise: random; suspicious: fraud security alert; swimlane: column;
  switch: change; symptom: condition; tab: page; tablet: device; tailor: customize; taken:
  reserved; talk: call message; tally: count; taxi: ride; teach: course; teammate: member user;
  tech: device; telephone: call; tenant: customer organization; territory: region; text: sms;
  thank: message; theater: venue; theft: fraud; theme: style template; thing: item object; thought:
  comment note; thread: topic; throw: delete remove; tidy: clean delete sort; timetable: schedule;
  tip: suggestion; toll: fee; tool: app; top: pinned; total: sum; touch: update contact modified;
  tour: trip event; tourist: visitor; tournament: competition league; trace: track; trade:
  exchange; tradesman: vendor; trainee: user student course transit departure; trainer: instructor;
  transport: shipping; traveller: guest; treatment: procedure medication; trial: subscription test;
  trim: edit cut; troll: block ban report; trouble: issue incident problem; truck: vehicle; trust:
  verify; try: test attempt; tune: configure track; tutor: instructor; tweet: post status; typo:
  edit correct update; umbrella: precipitation; unblock: unban allow; understand: explain;
  uninstall: remove delete; unknown: new; unlist: hide private; unlocked: access; unpaid: overdue;
  unplug: disconnect; unreachable: down offline; unsafe: risk; unsend: delete cancel; untouched:
  inactive; unusual: anomaly; unwanted: spam block; upgrade: change plan resize; upload: add;
  urgent: priority; usual: default; utility: service; vacancy: availability; vacant: available;
  vaccinate: immunization; van: vehicle; vanish: delete hide; vault: secret storage; vegan: diet;
  velocity: report; vet: review provider; veto: reject; victim: user; viewer: read permission user
  analytics; violate: report; viral: trending popular; virus: malware threat; visible: public
  visibility; voice: call; volunteer: user; voter: user; vpn: tunnel network; waitlist: queue;
  wallet: payment; wallpaper: background image; warehouse: location; warn: notify message;
  warranty: product; wash: clean; watch: monitor view; watcher: subscriber follower; web: site;
  wedding: event; welcome: message; wholesaler: vendor customer; widget: component; wife: contact;
  wifi: wireless network; wiki: page; wire: transfer; withdraw: cancel; withhold: hide; word: text
  term; work: job task; worker: agent; workforce: employee; workout: activity exercise; workplace:
  office location; workshop: event session; worth: value price; wrap: package; writing: document
  text; wrong: error incorrect; xray: imaging; yearly: annual; youngster: child; zip: archive
  postal;`;

const apiStems = new Map<string, readonly string[]>();
const addApiWords = (stem: string, words: readonly string[]): void => {
  apiStems.set(stem, [...(apiStems.get(stem) ?? []), ...words]);
};
for (const line of everydayWords.split(";")) {
  const [stem = "", ...words] = tokenize(line);
  addApiWords(stem, words);
}
for (const line of askedWords.split(";")) {
  const [word = "", ...stems] = tokenize(line);
  for (const stem of stems) addApiWords(stem, [word]);
}

/** Stems that APIs use for an everyday word. */
export const apiWordsOf = (stem: string): readonly string[] => apiStems.get(stem) ?? [];
