/** Whole texts of descriptions in input schemas that are shortened there. */
import { truncateText } from "./sentences.js";
import { hasToolMark, TOOL_MARK } from "./tool-marks.js";

/** Mark at the end of a shortened text. */
export const CUT = "…";

/** Truncates a text after a sentence or a word, and marks it. */
const cut = (text: string, max: number): string => {
  const start = truncateText(text, max - CUT.length - 1, false);
  return start.endsWith(CUT) ? start : `${start} ${CUT}`.trimStart();
};

/** Characters by which texts that begin alike are shortened further. */
const STEP = 10;

/** Shortens texts of documents while schemas and descriptions are written, and keeps the whole ones. */
export class WholeTexts {
  /** An empty text where several have one shortened form. */
  private readonly byShortened = new Map<string, string>();

  /**
   * Shortens a text. Texts that begin alike are shortened differently, so that each is found again.
   * @param shorter a form to use if it is not one of another text
   * @param whole what to keep as the whole text, if it has more than the text
   */
  shorten(text: string, max: number, shorter?: string, whole = text): string {
    if (shorter !== undefined && this.keep(shorter, whole)) return shorter;
    for (let length = max; length > max / 2; length -= STEP) {
      const shortened = cut(text, length);
      if (this.keep(shortened, whole)) return shortened;
    }
    const shared = cut(text, max / 2 - STEP);
    this.byShortened.set(shared, "");
    return shared;
  }

  /** Keeps a whole text, unless another one has the shortened form. */
  private keep(shortened: string, whole: string): boolean {
    const known = this.byShortened.get(shortened) ?? whole;
    if (known === whole) this.byShortened.set(shortened, whole);
    return known === whole;
  }

  /** The same texts with the names of tools in place of marks. */
  withNames(nameOf: (index: number) => string): WholeTexts {
    if (![...this.byShortened.values()].some(hasToolMark)) return this;
    const put = (text: string): string =>
      text.replace(TOOL_MARK, (_, index: string) => nameOf(Number(index)));
    const named = new WholeTexts();
    for (const [shortened, whole] of this.byShortened)
      named.byShortened.set(put(shortened), put(whole));
    return named;
  }

  /** The whole of a description, which may have sentences after the shortened text. */
  of(description: string): string | undefined {
    for (let end = description.lastIndexOf(CUT); end >= 0;) {
      const whole = this.byShortened.get(description.slice(0, end + 1));
      if (whole === "") return undefined;
      if (whole !== undefined) return appendRest(whole, description.slice(end + 1));
      end = end === 0 ? -1 : description.lastIndexOf(CUT, end - 1);
    }
    return undefined;
  }
}

const appendRest = (whole: string, rest: string): string =>
  rest === "" || /[.!?。…)]$/.test(whole) ? whole + rest : `${whole}.${rest}`;
