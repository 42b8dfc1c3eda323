import { NATIONAL_RULES } from './national-rules.ts';
import { announcesOther, isInUrl, lineBefore } from './number-context.ts';
import type { TextRange } from './text-range.ts';

/** The written form at a place, and a word before it with at most eleven characters between: `CPF nº: `, `PESEL (`. */
const RULES = NATIONAL_RULES.map(({ written, cue, ...rule }) => ({
  ...rule,
  at: new RegExp(`(?:${written})(?![\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}\\p{N}_]|[./-]\\d)`, 'uy'),
  cue: new RegExp(`(?<![\\p{L}\\p{N}])(?:${cue})[^\\p{L}\\d\\n]{0,4}(?:(?:nr|no|nº|n°|number|nummer|code)[^\\p{L}\\d\\n]{0,4})?$`, 'iu'),
}));

/** Start of a number: seven digits with separators, a letter with seven digits, or the letters of Italy and Mexico. */
const START =
  /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_.,:+/=#@-])(?:\d(?=[\d. /+-]{6})|[A-Za-z](?=-?\d{7})|[A-Z]{4}(?=[A-Z]{0,2}[\dL-V]{2}))/gu;

/** National identity numbers with right check digits: those of a form of their own, of the language of the page, or with a word before them. */
export function* nationalNumbers(text: string, lang: string): Generator<TextRange> {
  let from = 0;
  for (const { index } of text.matchAll(START)) {
    const end = index < from ? null : numberEnd(text, index, lang);
    if (end === null) continue;
    yield [index, end];
    from = end;
  }
}

function numberEnd(text: string, start: number, lang: string): number | null {
  for (const rule of RULES) {
    rule.at.lastIndex = start;
    const written = rule.at.exec(text)?.[0];
    if (written === undefined || !rule.isValid(bare(written, rule.name))) continue;
    const isCued = rule.cue.test(lineBefore(text, start));
    if (isCued || (standsAlone(rule, written, lang) && !isInUrl(text, start) && !announcesOther(text, start)))
      return start + written.length;
  }
  return null;
}

function standsAlone({ alone }: (typeof RULES)[number], written: string, lang: string): boolean {
  if (alone === undefined) return false;
  return (alone.form?.test(written) ?? true) && (alone.langs?.includes(lang) ?? true);
}

/** The number without separators. Of the Finnish one the sign of the century is a part. */
function bare(written: string, name: string): string {
  const number = written.toUpperCase();
  return name === 'FI HETU' ? number : number.replace(/[. /+-]/g, '');
}
