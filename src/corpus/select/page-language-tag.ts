/** The language of a harvested page in one form: `en` for `en-us`, `en_GB` and `eng`, so that groups and counts by language agree. */
import { canonicalTag, languageCode } from '../../base/text/language-code.ts';
import type { HarvestedPage } from './harvested-page.ts';

type TaggedLanguage = Pick<HarvestedPage, 'lang' | 'langTag'>;

/** Pages of one corpus have few tags. */
const MOST_KNOWN = 1_000;
const known = new Map<string, TaggedLanguage>();

/** @param tag BCP 47 in any case, or `und` */
export function taggedLanguage(tag: string): TaggedLanguage {
  const before = known.get(tag);
  if (before !== undefined) return before;
  const found = read(tag);
  if (known.size < MOST_KNOWN) known.set(tag, found);
  return found;
}

function read(tag: string): TaggedLanguage {
  const lang = languageCode(tag);
  if (lang === null) return { lang: tag };
  const whole = canonicalTag(tag);
  return whole === null || whole === lang ? { lang } : { lang, langTag: whole };
}
