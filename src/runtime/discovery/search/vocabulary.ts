import { apiWordsOf } from "./everyday-words.js";
import { tokenize } from "./terms.js";
import { weights } from "./weights.js";

/** Common words, not of a special field. The words of a group are interchangeable in requests. */
const groups = `
  list find search show display view browse look see lookup;
  create add make new insert register build generate; create open; create setup;
  create start launch; create post; create schedule; create publish; create write;
  delete remove erase destroy drop discard clear purge wipe trash;
  delete empty flush purge clear; remove kick expel evict exclude;
  remove detach unlink disconnect unassign dissociate; remove revoke unshare withdraw;
  update edit change modify set replace adjust alter; update rename; update configure;
  update mark; update move relocate; update transfer reassign handover;
  update increase decrease scale resize raise lower bigger smaller grow shrink;
  send submit publish deliver post notify tell announce inform; send message write;
  share publish; share access permission collaborator collaboration acl grant allow rule;
  share invite; access permission right role privilege; grant give; invite add;
  attach connect join link mount associate; cancel abort stop terminate end void revoke;
  cancel unsubscribe; stop pause halt suspend; stop shutdown kill; stop expire;
  end close finish complete finalize conclude expire terminate;
  start begin launch run resume play boot; run execute trigger dispatch invoke start;
  trigger event; restart reboot rerun retry reset relaunch; rebuild reinstall recreate;
  rerun redo again repeat;
  reload refresh restart; redeploy deploy rebuild release sync; ping health ready alive status;
  invalidate flush clear purge; compact optimize vacuum defragment shrink; drain evacuate cordon;
  restore recover undelete revert rollback undo unarchive reactivate bring;
  restore deleted trash; deactivate disable suspend inactive deactivated lock block;
  deactivate remove; free busy available availability; agenda calendar event;
  recurring repeating instance; invite attendee participant guest; reschedule update move;
  activate enable reactivate unlock unblock active; ban block suspend;
  mute silence snooze quiet suppress; approve accept confirm acknowledge allow; approve review;
  reject decline deny refuse dismiss; assign attach give;
  download export retrieve content archive; upload import attach; copy duplicate clone fork;
  merge combine join unify; move transfer; archive close deactivate retire;
  login signin authenticate session; logout signout session terminate;
  password credential secret; token key credential secret;
  image picture photo logo icon avatar thumbnail poster artwork; image export render;
  cover image;
  user person people member account profile who colleague coworker employee someone anyone everybody
  engineer participant;
  user customer client; user contact; user email; participant attendee attended attendance guest;
  registrant registration attendee signup; company organization business enterprise workspace;
  colleague collaborator member; team group; group channel;
  comment review feedback note remark annotation reply; reply thread answer response;
  react reaction emoji; similar like related recommendation suggestion recommended;
  like favorite save star bookmark; popular top best trending favorite most;
  latest newest recent last new current; recent lately recently history yesterday;
  current now currently present; rating rated score rank vote; price cost amount fee plan;
  cost billing usage spend; owe balance due unpaid outstanding; money balance fund;
  buy purchase order; pay payment charge; refund reimburse return moneyback;
  invoice bill billing; discount coupon promotion off; subscription plan membership;
  payment checkout; dispute chargeback; file document attachment; file content; folder directory;
  message chat text mail; message post write wrote; announcement message notice;
  put add set place; channel room conversation chat; conversation thread;
  meeting call event appointment; call phone dial; phone number sms telephone; calendar schedule;
  event meeting appointment; tag label keyword topic category genre; task todo assignment;
  job task run; issue ticket bug problem; incident outage alert problem page;
  pull request merge change; status state health condition; status online presence available;
  date time when schedule; birthday birth born; place location address where venue;
  shop store location; country region; count number total many much quantity;
  history log event activity audit timeline record; log output print; happen happened event log history;
  app application; config configuration setting preference option; variable token;
  info information detail about; statistic analytics metric usage report insight;
  metric measure cpu memory load performance; mean average aggregate;
  usage stat used consumption; admin administrator owner moderator; owner admin;
  auth authentication authorization; server machine host instance vm node; service server;
  container instance; cluster node; replica copy; disk volume storage space; storage quota;
  dns domain record; record entry row item; port firewall rule;
  webhook notification subscription callback hook; notification alert; alert alarm warning;
  link url; public external shared; private internal restricted; private visibility privacy;
  public visibility privacy;
  deploy deployment release rollout; release version publish; rollout gradual percentage traffic;
  version revision history; previous earlier past former; next upcoming future following;
  upcoming scheduled; queue waiting; pending waiting open; queued scheduled pending; movie film;
  show series tv; actor cast star credit; director crew directed credit; cast credit crew;
  actress actor cast; author writer; song track music; music playback player;
  singer artist musician band; listen listened play heard; hear listen; album record;
  podcast show; device speaker; volume loud; video clip; game match; shift schedule rota;
  resolve close solve fix; acknowledge acknowledged; duplicate merge; subscribe follow watch;
  follower subscriber; reschedule postpone delay move; remind reminder;
  description about summary; name title; nickname nick name; language locale;
  translate translation; signature sign signing; answer reply; poll vote; winner result;
  search query filter; size resize; template preset; form survey; order purchase;
  ship shipping shipment delivery; deliver delivery shipping; warehouse inventory stock;
  product item good article; cart basket; customer buyer shopper; lead prospect;
  deal opportunity; course class lesson; student learner pupil; book reservation booking reserve;
  flight trip journey; ticket booking; patient person; weather forecast; temperature weather;
  test check verify validate; verify confirm validation; check inspect status; inspect detail;
  scan check; backup snapshot; restore backup; employee staff worker; boss manager supervisor;
  salary pay wage; absence leave vacation; policy rule; component element; font style;
  developer dev; program process; registry repository; erase permanent; permanent forever; vulnerability issue; vulnerable safe security vulnerability;
  temporary ephemeral;`;

/** Words, each with synonyms that are not synonyms of each other. */
const related = `
  absent: absentee missing noshow; accept: agree; active: online presence away;
  actor: person; actress: person; broken: unhealthy; director: person; enrol: enroll; grade: mark;
  healthy: health; junk: spam; password: passphrase; retain: retention; singer: person;
  adjust: correct balance; agenda: schedule; agent: assistant bot operator; agreement: terms;
  alias: name; announce: broadcast; apply: application request candidate applicant;
  approval: review; approve: authorize admit registrant request status; ask: request poll survey;
  assistant: delegate deputy; attend: participate join;
  audience: participant attendee viewer segment list; audit: trail;
  automatic: rule filter automation auto; automation: rule; backup: copy; balance: load;
  band: user; bank: account; basket: checkout; bill: charge; bio: description about note profile;
  blog: post article site; bonus: reward point credit; book: title; bookmark: later; boss: lead;
  bot: assistant; bounce: bounced undelivered; branch: location fork; brand: manufacturer maker;
  broadcast: announcement; broken: incident error bug; budget: limit; bug: defect;
  build: job run; buyer: payer payment; cache: purge; caller: call; calorie: nutrition;
  campaign: newsletter mailing; cancelled: cancel; candidate: applicant;
  caption: text description; car: vehicle; card: credit payment method task ticket issue;
  carrier: shipping courier; catalog: product list; category: type kind; certificate: ssl tls;
  change: event; changed: changes history audit; channel: show; chapter: topic section;
  charge: transaction; charity: organization; chart: graph metric; child: student;
  city: place location; claim: request case; code: source; coin: currency;
  colleague: teammate peer; collection: folder group list; color: paint theme style;
  column: section list stage lane board field property attribute; commit: change revision;
  complain: report; complete: done finished tick resolved closed; completion: response;
  computer: device machine; contact: phone email address method;
  contest: challenge dispute appeal evidence; contract: document agreement;
  convert: transform export; copies: copy forward; cpu: usage; crash: incident error;
  create: provision onboard hire recruit draft compose invent found establish;
  currency: exchange rate; customer: account; dashboard: report chart; database: db instance;
  deadline: date; debt: balance owe; decrease: reduce cut downgrade;
  delete: cancel forget cleanup prune terminate kill detach; department: team group;
  define: create; depend: dependency prerequisite dependent; prerequisite: dependent dependency; description: purpose topic; diary: calendar journal;
  diet: nutrition; diff: compare change; direct: private; discount: price;
  discuss: comment thread; display: name; distance: far;
  doctor: patient physician practitioner provider; document: page; domain: site website hostname;
  donate: donation; donation: payment gift; done: finished; download: pdf;
  downtime: maintenance window; drive: folder storage; driver: courier; due: deadline date;
  duration: length long; earn: wage salary income pay accumulate point reward;
  edit: write access role editor; email: mail inbox; embedding: vector; endorse: pin feature;
  endpoint: url server webhook address; envelope: document; environment: stage; epic: initiative;
  episode: show; event: conference; exam: test quiz; exchange: rate conversion;
  exercise: assignment coursework; expel: remove; expense: cost; experiment: test variation;
  fare: price; feature: flag toggle; field: attribute property; fine: fee penalty;
  flatmate: member; folder: label file parent; follower: fan; forecast: prediction;
  form: questionnaire; forward: forwarding; free: open vacant; freeze: suspend pause hold lock;
  fresh: new reset rotate; friend: contact follower; gadget: device; game: player score;
  gift: voucher card; goal: target objective okr; gps: location; grade: score rate mark;
  grant: permit let authorize role assign; guest: visitor customer; half: partial amount;
  hand: give submit; harass: abuse spam; hashtag: tag; hide: block mute invisible archive;
  holiday: leave; homework: task assignment coursework; hotel: property accommodation;
  hours: time; id: identifier key code; illness: condition diagnosis; inbox: message;
  increase: add accumulate bump upgrade; index: search; ingredient: food; insurance: policy;
  interest: rate; interview: meeting; invite: join; item: object; job: vacancy; join: enter;
  keep: retain preserve; kid: child; kind: type; label: print shipping; landlord: contact;
  language: setting; laptop: device computer; law: rule; leaked: reset revoke rotate;
  leave: exit left departed; left: remaining stock quantity available count quit departed;
  lesson: course; letter: mail post; license: plan subscription key; light: lamp; like: heart;
  link: href; loan: credit; location: position coordinate; lock: door; log: trace; login: audit;
  lost: block report; loyalty: reward member; luggage: baggage; lyrics: text song;
  mailing: list audience; maintenance: mode; map: location; mate: member friend; meal: dish food;
  media: image video audio file; medicine: medication drug prescription;
  meeting: conference session video invite; membership: member; memo: note; mention: tag;
  menu: catalog item dish; milestone: goal deadline; mobile: phone cell cellphone; model: ai;
  moderator: report; money: payment amount; move: put drag reorder position; mug: item product;
  nameserver: dns; nearby: near around location; news: article headline; newspaper: article news;
  nickname: alias; notify: watch subscribe webhook; occurrence: instance; offer: promotion;
  office: location site branch department; older: previous revision version;
  oncall: duty shift rota rotation schedule; open: opened read; optout: unsubscribe;
  outage: downtime; own: mine authenticated me; owner: creator author founder; package: shipment;
  page: notify; parcel: package shipment fulfillment; parent: guardian; party: event;
  pass: delegate reassign escalate reroute route redirect forward; passenger: traveler;
  pause: notification snooze disturb mute; payout: settlement deposit; payroll: salary pay;
  pdf: export document; pending: request approval; performance: speed; petition: campaign;
  photo: media upload attachment; pick: assign; picture: cover; pin: feature highlight;
  ping: call notify trigger webhook; pipeline: build workflow job; plan: schedule roadmap;
  planned: scheduled future; player: user; playlist: mix; point: loyalty reward;
  policy: contract; poll: survey question; portfolio: holding; position: role job;
  post: status article entry; power: start stop; price: catalog item;
  problem: error failure fault exception; production: environment live; program: schedule;
  progress: status update; prompt: message; protect: lock; query: sql;
  question: comment query ask; questionnaire: survey; queue: line; quote: estimate offer;
  rain: precipitation weather; read: seen; readonly: viewer reader;
  receipt: evidence proof document invoice; recipe: dish meal; recipient: contact subscriber;
  record: recording; recording: video; redirect: forward; redo: retry; release: drop;
  remaining: quota limit; reminder: alarm; remove: fire offboard dismiss untag unlabel;
  rename: name title; rent: lease payment; reopen: open restore unresolve unresolved; play: stream playback;
  report: status summary complaint abuse flag export document file;
  rescue: restore recover undelete untrash; resolve: resolved lookup find; response: submission;
  restaurant: place venue; restore: untrash; resume: continue cv application; reviewer: approver;
  revoke: delete access permission; ride: trip; room: space reservation; route: direction path;
  salary: wage; salvage: restore recover; save: store keep update; school: organization;
  screenshot: image attachment file; script: code function; seat: license reservation booking;
  secret: environment variable; secretary: assistant delegate; secure: protect lock;
  security: audit; see: read access; seen: acknowledged; sensor: device;
  series: recurring recurrence season; server: domain site;
  set: assign configure choose pick select specify limit cap restrict playlist collection;
  settle: payout; share: repost reshare reblog boost retweet forward link; shift: work;
  shop: site merchant; show: unhide; sick: absence; signer: recipient;
  slot: availability opening; slow: performance latency; snooze: delay; song: sound recording;
  sort: label filter move; soundtrack: music; source: repository; spam: block abuse;
  speaker: presenter; spend: cost expense budget transaction; spent: spend transaction; split: break divide subtask child part;
  segment: audience cohort group; spreadsheet: file document sheet csv excel export; sprint: iteration cycle; staff: team; staging: environment;
  stay: duration time length; sticker: emoji; stock: count level share security;
  stolen: reset revoke block lost; stop: station; storage: capacity usage; story: article;
  stream: livestream live broadcast; subject: topic title; submission: entry;
  subscriber: contact member; subtitle: caption; supplier: contact vendor seller;
  support: ticket help; suppress: maintenance; swap: replace exchange;
  table: collection reservation; talk: discuss chat conversation trend session;
  tariff: price plan; tax: vat; teacher: instructor tutor; team: workspace club;
  start: instantiate; template: blueprint boilerplate; tester: user member; thermostat: temperature;
  thumb: reaction like; ticket: request case; timesheet: time entry hours; timezone: time zone;
  tip: gratuity; toggle: switch enable; toot: tweet status post;
  topup: load reload recharge credit; trace: output; track: tracking shipment; trade: order;
  traffic: usage; trailer: video; transaction: payment transfer; transcript: text caption;
  transfer: payout; translate: language; trash: bin recycle; trend: trending popular hashtag;
  trip: travel; turn: convert; unfollow: unsubscribe; unfreeze: resume unpause thaw continue;
  unlock: open release; unpause: resume; unread: label new;
  update: fix correct amend patch tweak customize upsert put complete; upload: attachment media;
  uptime: availability status; vacancy: opening; vacation: holiday; vendor: merchant seller;
  visit: appointment encounter view hit; visitor: traffic session; voice: speech audio;
  voicemail: message; volunteer: member; vote: ballot election; voucher: coupon discount code;
  wage: hourly rate; wait: depend dependency block; wake: page alert; wallet: balance account;
  watch: webhook; website: site page; who: owner author creator; wishlist: favorite;
  worked: shift timesheet; workflow: automation; write: draft; zone: area region;`;

/** Lists of stems with about the same meaning as a stem. */
const listsByStem = new Map<string, (readonly string[])[]>();
for (const line of groups.split(";")) {
  const stems = tokenize(line);
  for (const stem of stems) addList(stem, stems);
}
for (const line of related.split(";")) {
  const [stem = "", ...others] = tokenize(line);
  addList(stem, others);
  for (const other of others) addList(other, [stem]);
}

function addList(stem: string, list: readonly string[]): void {
  const known = listsByStem.get(stem);
  if (known) known.push(list);
  else listsByStem.set(stem, [list]);
}

const synonymsByStem = new Map<string, ReadonlySet<string>>();

/** Stems with about the same meaning as a stem. */
export function synonymsOf(stem: string): ReadonlySet<string> {
  const known = synonymsByStem.get(stem);
  if (known) return known;
  const synonyms = new Set(listsByStem.get(stem)?.flat());
  synonyms.delete(stem);
  if (listsByStem.has(stem)) synonymsByStem.set(stem, synonyms);
  return synonyms;
}

/** Stems that tools may have for a stem of a query, with their shares of an exact match. */
export function alternativesOf(stem: string): ReadonlyMap<string, number> {
  const alternatives = new Map<string, number>();
  for (const word of apiWordsOf(stem)) alternatives.set(word, weights.everyday);
  for (const synonym of synonymsOf(stem)) alternatives.set(synonym, weights.synonym);
  return alternatives;
}
