import { expect, test } from 'vitest';
import { pageLanguage } from '../../../src/crawling/reader/page-language.ts';
import { parseRule } from '../../../src/reading/topic/rule.ts';

const GERMAN = 'Das Moos wächst im Wald auf feuchten Steinen und an alten Bäumen, wo wenig Licht hinkommt und die Luft nie trocken wird.';
const page = (lang: string | null) => ({ lang, text: GERMAN });

test('a rule that asks for the language is told the detected one where none is declared', async () => {
  const languageOf = await pageLanguage({ rule: parseRule('model AND lang:de') });
  expect(languageOf(page(null))).toBe('de');
  expect(languageOf(page('fr'))).toBe('fr');
});

test('without such a rule nothing is detected', async () => {
  for (const rule of [null, parseRule('model AND moss')]) expect((await pageLanguage({ rule }))(page(null))).toBeNull();
});
