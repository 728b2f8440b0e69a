import type { ToolEffect } from "../../types.js";
import { stemOf } from "./terms.js";

/** First words of requests, by the effects that they ask for. A word may have several. */
const verbs: Readonly<Record<ToolEffect, string>> = {
  reads: `
    get find show list display view look see search check tell read fetch retrieve return what which
    who whose when where why how count preview compare download export summarize inspect is are was
    were did does has have describe explain browse watch analyze report track monitor verify validate
    lookup`,
  adds: `
    add create make new insert register upload post leave write save record book schedule generate
    build set setup put open invite attach link connect import copy duplicate clone fork reserve
    bring give grant share submit publish buy order subscribe follow star like bookmark pin store
    draft comment reply react enroll enrol label assign`,
  changes: `
    update edit change modify rename move replace adjust alter set configure mark assign close
    resolve approve reject accept decline acknowledge enable disable activate deactivate suspend
    block mute unmute snooze pause resume turn increase decrease raise lower resize scale upgrade
    downgrade switch transfer merge archive unarchive lock unlock promote extend renew restore
    recover point convert reset reschedule postpone delay format label hide unhide ban drain
    finalize complete finish confirm void rotate`,
  removes: `
    remove detach disconnect unassign unlink unsubscribe unfollow unstar unpin unshare revoke
    withdraw kick exclude evict uninstall cancel stop end unban lift undo leave`,
  destroys: `
    delete erase destroy purge wipe empty clear drop discard trash flush prune free kill terminate`,
  starts: `
    start run execute trigger launch restart reboot rerun retry play stop pause cancel abort kill
    end dispatch deploy build begin render sync scan skip`,
  sends: `
    send notify email message post tell ask inform announce remind invite forward deliver broadcast
    push bill share`,
};

const effectsByVerb = new Map<string, Set<ToolEffect>>();
for (const [effect, list] of Object.entries(verbs) as [ToolEffect, string][])
  for (const verb of list.trim().split(/\s+/)) {
    const stem = stemOf(verb);
    effectsByVerb.set(stem, (effectsByVerb.get(stem) ?? new Set()).add(effect));
  }

/** Effects that the first word of a request asks for; undefined if it is not a verb. */
export function effectsOfVerb(word: string): ReadonlySet<ToolEffect> | undefined {
  return effectsByVerb.get(stemOf(word));
}
