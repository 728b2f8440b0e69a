import { stemOf } from "./terms.js";

/** Phrasal verbs, and the words of APIs for what they mean. */
const table = `
  add up: sum total; back out: cancel withdraw; back up: backup; boot up: start; break down, break
  into, break up: split; bring back: restore; bring down: disable delete stop; bring in: invite add;
  bring over: transfer import migrate; bring up: create start; call back: cancel withdraw recall;
  call off: cancel; carry on: continue resume; cash out: payout withdraw; change back: restore;
  check in: checkin; check off: complete; check out: checkout; clean up: cleanup delete; clear out:
  clear delete; close down: close deactivate; come back: return; come out: release publish; cross
  off: complete; cut down: reduce; cut off: disable block; cut out: remove exclude; drop off:
  deliver; drop out: cancel withdraw leave; figure out: calculate find; fill in, fill out: submit;
  fill up: refill recharge; find out: get; fire up: start; follow up: task reminder; get back:
  restore; give away: transfer donate; give back: refund return; give out: assign issue; give up:
  cancel withdraw; go back: restore; go live: publish; hand back: return; hand in: submit
  submission; hand out: assign issue; hand over: transfer reassign reroute; hold back: pause
  withhold; hold off: pause postpone; hook up: connect integration; jot down: log record note; keep
  out: block; kick off: start run; kick out: remove; leave out: exclude; let in: add member invite;
  lock out: disable block suspend; log in, log into: login; log off, log out: logout; look after:
  manage; look for: find; look into: get investigate; look through: list search; look up: find;
  narrow down: filter; note down: log record note; opt in: subscribe; opt out: unsubscribe; pass on:
  forward transfer; pay back: refund return; pay in: deposit; pay off: pay settle; pay out: payout;
  phase out: deprecate; pick up: collect pickup; plug in: connect integration; power down, power
  off: stop; power on: start; pull in: import; push back: postpone; put aside: reserve assign; put
  away: archive; put back: restore; put down: log record note; put off: postpone; put together:
  create compile; put up: create publish; ramp up: increase scale; read out: speech; ring up: call;
  roll back: rollback; roll out: deploy release; run out: expire limit; scale down: decrease scale;
  scale up: increase scale; search for: find; send back: return refund; send on: forward redirect;
  send out: publish deliver; send over: transfer send; set aside: reserve assign; set back: restore;
  set down: log record note; set off: trigger; set up: create; shut down, shut off: stop close; sign
  in, sign into: login; sign off: approve; sign out: logout; sign up: register; slow down: limit;
  sort out: resolve fix; spin up: create start; split into, split up: split; start over: reset
  restart; stock up: restock; strike out: delete; sum up: summary; swap out: replace; switch off:
  disable; switch on: enable; take away, take off, take out: remove; take back: withdraw delete;
  take down: disable delete; take over: replace; tear down: delete stop; throw away, throw out:
  remove; tick off: complete; top up: add balance; trade in: exchange; try out: test; turn down:
  reject decline; turn in: submit submission; turn off: disable; turn on: enable; weed out: remove;
  wind down: stop; wipe out: delete; work out: calculate; wrap up: complete close; write down: log
  record note; write off: writeoff`;

/** Forms of irregular verbs of the table. */
const irregular: ReadonlyMap<string, string> = new Map(
  `brought bring, chose choose, drawn draw, found find, gave give, given give, gone go, got get,
  gotten get, kept keep, left leave, paid pay, ran run, sent send, taken take, threw throw, thrown
  throw, took take, went go, written write, wrote write`
    .split(/,\s*/)
    .map((pair) => pair.split(" ") as [string, string]),
);

/** Particles that are prepositions if more follows than `turn it on for all`. */
const prepositions = new Set("after for in into on over through".split(" "));

/** The end of a part of a sentence. */
const partEnd = /^\s*[.,;!?]/;

/** Words that follow a particle, but no preposition. */
const afterParticle = new Set("again at by for from if now to until when".split(" "));

const byVerb = new Map<string, Map<string, string>>();
for (const line of table.split(";")) {
  const [verbs = "", words = ""] = line.split(":");
  for (const one of verbs.split(",")) {
    const [verb = "", particle = ""] = one.trim().split(/\s+/);
    const stem = stemOf(verb);
    const particles = byVerb.get(stem) ?? new Map<string, string>();
    byVerb.set(stem, particles.set(particle, words.trim().replace(/\s+/g, " ")));
  }
}

/** Words between a verb and its particle. */
const maxObject = 5;

/** Replaces phrasal verbs (`log the user out`) by the words of APIs. */
export function replacePhrasalVerbs(text: string): string {
  // Words are at odd places.
  const parts = text.split(/([\p{L}']+)/u);
  for (let i = 1; i < parts.length; i += 2) {
    const word = parts[i]!.toLowerCase();
    const particles = byVerb.get(stemOf(irregular.get(word) ?? word));
    const found = particles && meaningOf(particles, parts, i);
    if (!found) continue;
    parts[i] = found.words;
    parts[found.end] = "";
    i = found.end;
  }
  return parts.join("");
}

function meaningOf(
  particles: ReadonlyMap<string, string>,
  parts: readonly string[],
  verb: number,
): { readonly words: string; readonly end: number } | undefined {
  for (let i = verb + 2; i <= verb + 2 + 2 * maxObject && i < parts.length; i += 2) {
    if (parts[i - 1]!.trim() !== "") return undefined;
    const particle = parts[i]!.toLowerCase();
    const words = particles.get(particle);
    const isParticle =
      i === verb + 2 ||
      !prepositions.has(particle) ||
      partEnd.test(parts[i + 1]!) ||
      afterParticle.has(parts[i + 2]?.toLowerCase() ?? "at");
    if (words !== undefined && isParticle) return { words, end: i };
  }
  return undefined;
}
