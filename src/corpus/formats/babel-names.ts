/** Names of languages for `langid` of biblatex, as babel and polyglossia call them (biblatex 3.20, table 2; babel, "Locales"). */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ar: 'arabic', bg: 'bulgarian', ca: 'catalan', cs: 'czech', cy: 'welsh', da: 'danish', de: 'ngerman', 'de-at': 'naustrian' },
    ...{ 'de-ch': 'nswissgerman', el: 'greek', en: 'english', 'en-au': 'australian', 'en-ca': 'canadian', 'en-gb': 'british' },
    ...{ 'en-us': 'american', 'en-nz': 'newzealand', eo: 'esperanto', es: 'spanish', et: 'estonian', eu: 'basque', fa: 'persian' },
    ...{ fi: 'finnish', fr: 'french', 'fr-ca': 'canadien', ga: 'irish', gl: 'galician', he: 'hebrew', hi: 'hindi', hr: 'croatian' },
    ...{ hu: 'hungarian', id: 'indonesian', is: 'icelandic', it: 'italian', ja: 'japanese', ko: 'korean', la: 'latin', lt: 'lithuanian' },
    ...{ lv: 'latvian', ms: 'malay', nb: 'norsk', nl: 'dutch', nn: 'nynorsk', no: 'norsk', pl: 'polish', pt: 'portuguese' },
    ...{ 'pt-br': 'brazilian', ro: 'romanian', ru: 'russian', sk: 'slovak', sl: 'slovene', sr: 'serbian', sv: 'swedish', th: 'thai' },
    ...{ tr: 'turkish', uk: 'ukrainian', vi: 'vietnamese' },
  }),
);

/** @param tag BCP 47. null for a language that has no such name */
export function babelName(tag: string): string | null {
  const [language = '', ...rest] = tag.toLowerCase().split('-');
  const region = rest.find((part) => /^[a-z]{2}$/.test(part));
  return NAMES.get(`${language}-${region}`) ?? NAMES.get(language) ?? null;
}
