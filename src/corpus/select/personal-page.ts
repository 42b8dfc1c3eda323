import { urlWithMasks } from '../personal/mail-urls.ts';
import { maskedText } from '../personal/masked-text.ts';
import { personalRanges } from '../personal/personal-data.ts';
import type { PersonalCounts, PersonalKind, PersonalRange } from '../personal/personal-names.ts';
import { primarySubtag } from './filters/page-languages.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { withStrings } from './page-strings.ts';

/** Personal data of one page. */
export interface PersonalPage {
  /** Finds in all its strings; the text and its posts count each. */
  readonly counts: PersonalCounts;
  /** Finds in its text. */
  readonly ranges: readonly PersonalRange[];
  /** The page with masks; its ranges are those of the new text, and `masks` those of the masks in it. */
  readonly masked: HarvestedPage;
  readonly masks: readonly PersonalRange[];
}

/** Looks through all texts of a page, and for mail addresses through its URLs. `lang` of the page decides about national numbers. */
export function personalPage(page: HarvestedPage): PersonalPage {
  const tally = new PersonalTally();
  const lang = primarySubtag(page.lang);
  const ranges = personalRanges(page.text, lang);
  tally.add(ranges);
  const change = { text: (one: string) => tally.masked(one, personalRanges(one, lang)), url: (url: string) => tally.maskedUrl(url) };
  const rest = withStrings({ ...page, text: '' }, change);
  const { text, masks, moved } = maskedText(page.text, ranges);
  return { counts: tally.counts(), ranges, masked: { ...rest, text, ...movedRanges(rest, moved) }, masks };
}

/** A text of a page with masks. */
export function withoutPersonal(text: string, lang: string | null): string {
  return maskedText(text, personalRanges(text, primarySubtag(lang ?? 'und'))).text;
}

/** The columns that are ranges of the text before, as ranges of the new one. */
function movedRanges({ repeated, foreign, document }: HarvestedPage, moved: (offset: number) => number): Partial<HarvestedPage> {
  return {
    ...(repeated && { repeated: repeated.map(([start, end]) => [moved(start), moved(end)] as const) }),
    ...(foreign && { foreign: foreign.map(([start, end, lang]) => [moved(start), moved(end), lang] as const) }),
    ...(document && { document: { ...document, pageOffsets: document.pageOffsets.map(moved) } }),
  };
}

class PersonalTally {
  readonly #counts: Record<PersonalKind, number> = { mail: 0, phone: 0, iban: 0, card: 0, ip: 0, id: 0 };

  add(found: readonly PersonalRange[]): void {
    for (const [, , kind] of found) this.#counts[kind]++;
  }

  masked(text: string, found: readonly PersonalRange[]): string {
    this.add(found);
    return found.length === 0 ? text : maskedText(text, found).text;
  }

  maskedUrl(url: string): string {
    const { text, masks } = urlWithMasks(url);
    this.add(masks);
    return text;
  }

  counts(): PersonalCounts {
    return this.#counts;
  }
}
