/**
 * Characters that a reader does not see but a model or a terminal obeys: controls except tab and
 * line feed, those of direction, what has no width and no use in data (fillers, invisible
 * operators, tags, supplementary variation selectors), and what has a use alone or in pairs
 * (joiners, variation selectors), but spells a hidden text in a row. Unicode: Bidi_Control,
 * Default_Ignorable_Code_Point.
 */
const unseen =
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/**
 * Text without unseen characters; half characters become U+FFFD, so that the result is one valid
 * line of JSON anywhere.
 */
export function clean(text: string): string {
  return text.replace(unseen, "").replace(/\p{Surrogate}/gu, "\ufffd");
}
