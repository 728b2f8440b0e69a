/**
 * Characters that a reader does not see but a model or a terminal obeys: controls except tab and line feed, direction overrides,
 * zero-width and tag characters, supplementary variation selectors.
 */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/** Text without unseen characters; half characters become U+FFFD, so that the result is one valid line of JSON anywhere. */
export function clean(text: string): string {
  return text.replace(unseen, "").replace(/\p{Surrogate}/gu, "\ufffd");
}
