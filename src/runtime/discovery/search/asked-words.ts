/**
 * Words of APIs, each with everyday words of people who ask for such things. Like the words of
 * `everyday-words.ts` they do not apply in reverse: `where` may ask for tracking.
 */
export const askedWords = `
  access: clearance enter entitled reach; account: holder login registration signup; acknowledge:
  noticed taken; action: deed operation step; activity: doing feed movement; agent:
  representative; alert: attention exceed high low threshold watch; alias: redirect shorthand
  synonym; allocation: assigned occupied reserved taken used; analytics: development figures grew
  growth kpi numbers performance traffic trend; application: bot client program sender service
  software; approval: agree consent ok permission release signoff; archive: finished old past
  shelve storage; article: text; artifact: binary build image output package; assignment: duty
  owner responsible; attachment: enclosed pdf picture receipt scan; attempt: failed; attendee:
  visitor; audio: song speech spoken; audit: compliance deleted logged; authorization: allowed
  consent hold permission; availability: bookable open; balance: credit left owes remaining
  worth; ban: banish exclude forbid; batch: bulk hundred list many overnight several thousand;
  billing: pay payment; board: card; branch: line; broadcast: all everyone live mass; budget:
  allowance; build: compilation release; calendar: date plan; campaign: promotion; capacity: full
  room space; card: mastercard plastic visa; carrier: dhl fedex ups; cart: bag trolley; catalog:
  assortment range; category: group heading sort; certificate: encryption https padlock; channel:
  stream; charge: cost debit price; checkout: buy order pay; classification: detect kind label;
  client: browser device phone; cluster: fleet; collaborator: coworker teammate together;
  command: instruction order shell; comment: opinion; completion: answer ask gpt prompt question
  write; compliance: gdpr law rules; condition: rule; configuration: setup; connection: reach;
  consent: agree agreed permission terms; consumption: spent; contact: people; container: box
  docker; content: body inside text; contract: deal; conversion: goal sale signup; cost: burn
  money; coupon: percent promo rebate; credential: login; credit: balance money refund; customer:
  company subscriber; dashboard: screen; dataset: data examples; delivery: courier transport;
  deploy: live ship; deployment: live version; destination: address goal target; device: machine
  phone; diff: difference; discount: cheaper percent reduction; disk: drive; document: agreement
  letter passport scan; domain: address web; download: copy save; draft: unfinished unsent; edit:
  background fix retouch; email: letter; embedding: semantic; encryption: secret; enrollment:
  class course join; entitlement: allowed feature included; entry: line; environment: variable;
  error: bug; estimate: approximate cost price roughly; evaluate: quality test try; event: news
  occurrence; execution: ran; expense: receipt; experiment: ab variant; export: backup copy csv
  excel save; extraction: ocr read recognize text; favorite: heart; fax: telefax; fee: charge;
  feedback: complaint praise rating; field: question; file: paper pdf upload; filter: narrow;
  fine: custom teach train tune; flag: switch toggle; flow: automation process; follower:
  audience; forecast: expected future; forward: expose port; fulfillment: delivery; fund: charge
  top; gateway: entrance; generation: draw paint; group: circle people; guest: external;
  hardware: cpu machine ram; health: broken fine ok running up well working; history: before past
  previous; holding: own stock; holiday: off; host: computer; hotel: lodging room stay; identity:
  person verify who; image: background painting; import: load migrate; incident: down wake;
  input: entered; instance: computer; integration: connect github hook jira slack; inventory:
  hosts machines servers; invitation: accept asked bring; invite: ask bring colleague; invoice:
  owes pay; issue: complaint fault; job: process running; key: password; label: postage sticker;
  language: english german; latency: fast speed; lead: interested; lease: dhcp taken; ledger:
  bookkeeping; limit: cap maximum quota; link: address; list: all; listing: advert offer
  property; log: wrote; maintenance: planned upgrade; manifest: daily end handover; mapping:
  connect translate; memory: ram; merge: together; message: notification push; metadata: custom
  extra; metric: number ram; migration: move; model: gpt; moderation: abuse harmful hate
  inappropriate insult offensive rude safe; monitor: track; network: internet lan subnet; note:
  remember; notification: know message push; offer: deal price special; opportunity: chance;
  output: result show; owner: responsible; page: site; parameter: option; password: locked login;
  patch: fix; patient: sick; payment: bank paid transfer; payout: bank money; payroll: wage;
  permission: forbidden; person: customer man somebody woman; pickup: collect courier driver;
  pipeline: ci; plan: package; playlist: music songs; plugin: addon extension; policy: automatic
  regulation; pool: group; port: open; portal: customer; preview: before look; price: much;
  project: workspace; promotion: sale; prompt: ask question; property: attribute; provider:
  supplier vendor; publish: live online public; quota: limit room space; rate: cost price tariff;
  reaction: heart like; receipt: bill paid; recording: call tape; refund: back money; region:
  datacenter where; registration: join; registry: images; reminder: forget; renewal: extend
  prolong; replication: copy sync; report: numbers outcome result spreadsheet statistics;
  repository: code git; request: application; resend: again lost once; reservation: hold;
  resource: cpu hardware memory ram; response: ask gpt question; restore: back earlier saved;
  result: pass; retention: delete expire keep old; return: back; revenue: money sales; review:
  stars think; revoke: take; role: administrator allowed; room: place; route: way; rule: always
  never whenever; run: playbook; sale: revenue sold; sandbox: test try; scan: examine virus;
  schedule: weekly; scope: permission; scoreboard: ranking; screenshot: picture; script: program;
  search: passage; seat: place; secret: hidden; section: part; security: hole; sensitive: full
  secret; service: offering program; session: device signed; settlement: pay; share: together;
  shift: hours roster; shipment: box send; signature: contract; slot: free time; snapshot: back
  freeze moment state; speech: aloud read say speak; spend: money; statement: bank; statistics:
  count figures many numbers often popular; status: finished going happening; stock: available;
  stream: arrive realtime; subscriber: reader; subscription: contract renewal tariff; summary:
  short total; sync: latest update; template: model reusable standard; tenant: customer; test:
  works; text: sentence; theme: design; token: script; tracking: arrive follow parcel where;
  trail: history; training: course learn teach; transaction: paid purchase; transcription:
  dictation minutes recording said spoken subtitle words written; transfer: hand send;
  translation: english; trigger: cause whenever; unsubscribe: mails stop; upload: add put send;
  usage: much; validation: correct exists; variable: env value; variant: color size; vector:
  semantic; verification: identity real; version: earlier newest previous; virtual: vm;
  visibility: hidden see; volume: drive loudness; vote: choose; vulnerability: hole weakness;
  wallet: prepaid; warning: problem wrong; webhook: call finished push server url when; workflow:
  process; workout: run training`;
