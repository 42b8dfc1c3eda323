import { expect, test } from 'vitest';
import { taggedLanguage } from '../../../src/corpus/select/page-language-tag.ts';

test.each([
  ['en', 'en', undefined],
  ['en-us', 'en', 'en-US'],
  ['en_GB', 'en', undefined],
  ['eng', 'en', undefined],
  ['zh-hant-tw', 'zh', 'zh-Hant-TW'],
  ['iw', 'he', undefined],
  ['de-at-1996', 'de', 'de-AT-1996'],
  ['nds', 'nds', undefined],
  ['und', 'und', undefined],
  ['qq-zz', 'qq-zz', undefined],
])('%s is of the language %s', (tag, lang, langTag) => {
  expect(taggedLanguage(tag)).toEqual(langTag === undefined ? { lang } : { lang, langTag });
});
