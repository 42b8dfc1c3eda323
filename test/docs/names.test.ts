/** Names and docstrings of the sources follow the style sheet. `npm run check -- names` prints each fault with its place. */
import { describe, expect, test } from 'vitest';
import { phrasesToAvoid, readStyleSheet } from './prose.ts';
import { avoidedNames, bareDocstrings, exportsOf, namesOfSeveralMeanings, type Source, sources } from './source-names.ts';
import { roomsOfSource } from './source-prose.ts';

const all = sources();
const phrases = phrasesToAvoid(readStyleSheet());

describe.each(roomsOfSource())('%s', (room) => {
  const ofRoom = all.filter((source) => source.room === room);

  test('no name has a phrase that the style sheet avoids', () => {
    expect(ofRoom.flatMap((source) => avoidedNames(source, phrases))).toEqual([]);
  });

  test('a docstring begins with a noun phrase or a verb', () => {
    expect(ofRoom.flatMap(bareDocstrings)).toEqual([]);
  });
});

test('no name is exported twice with two meanings', () => {
  expect([...namesOfSeveralMeanings(all)]).toEqual([]);
});

function sourceOf(code: string, path = 'src/base/core/sample.ts'): Source {
  return { path, room: 'base/core', code };
}

test('a phrase is found in names of variables, members, types and files, and once each', () => {
  const code = 'const wasToldNow = 1;\nclass A { #passedOverPages = wasToldNow; }\ninterface B { readonly leftOutCount: number }\n';
  const found = (source: Source) => avoidedNames(source, phrases).map(({ line, text }) => [line, text]);
  expect(found(sourceOf(code))).toEqual([
    [1, 'wasToldNow'],
    [2, 'passedOverPages'],
    [3, 'leftOutCount'],
  ]);
  expect(found(sourceOf('export {};', 'src/base/core/by-lot-draw.ts'))).toEqual([[1, 'src/base/core/by-lot-draw.ts']]);
});

test('a phrase in a text, a quoted key, a longer word or a stored name is no fault', () => {
  const code = "const a = { 'left-out': 'told', leftOut: 1 };\nconst brungle = a; // in force\nconst silently = brungle;\n";
  expect(avoidedNames(sourceOf(code), phrases)).toEqual([]);
});

test.each([
  ['Of one browser.', true],
  ['In each form.', true],
  ['Its length.', true],
  ['The same, by host.', true],
  ['Why it stopped.', true],
  ['Without, there is none.', true],
  ['If, and only if.', true],
  ['Host of the page.', false],
  ['Whether a request may start.', false],
  ['Writes it.', false],
  ['The samest of all.', false],
  ['Forest of terms.', false],
  ['@returns of one', false],
])('docstring "%s": at fault %s', (text, isFault) => {
  const codes = [`/** ${text} */`, `  /**\n   * ${text}\n   * More.\n   */`, `f(a, /** ${text} */ b);`];
  for (const code of codes) expect(bareDocstrings(sourceOf(code)).length, code).toBe(isFault ? 1 : 0);
});

test('comments of other forms, and slashes in a text, are no docstrings', () => {
  expect(bareDocstrings(sourceOf("// Of one.\n/* Of one. */\nconst glob = 'a/** of';\n"))).toEqual([]);
});

test('exports are found by kind, and those that are passed on are not', () => {
  const code =
    "export function f() {}\nexport async function* g() {}\nexport const a = 1;\nexport interface I {}\nexport type T = I;\nexport class C {}\nexport abstract class D {}\nexport { k } from './k.ts';\nfunction h() {}\n";
  expect(exportsOf(sourceOf(code)).map(({ text }) => text)).toEqual(['f', 'g', 'a', 'I', 'T', 'C', 'D']);
});

test('a name in two modules has two meanings, unless one is a twin', () => {
  const code = 'export const near = 1;';
  const names = (...paths: string[]) => [...namesOfSeveralMeanings(paths.map((path) => sourceOf(code, path))).keys()];
  expect(names('src/base/core/a.ts', 'src/faces/cli/b.ts')).toEqual(['near']);
  expect(names('src/reading/extract/a.ts', 'src/reading/wasm-reader/assembly/b.ts')).toEqual([]);
  expect(names('src/faces/app/a.ts', 'src/faces/library/library.ts')).toEqual([]);
  expect(names('src/base/core/a.ts')).toEqual([]);
});
