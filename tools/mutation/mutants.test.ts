import { expect, test } from 'vitest';
import { instrumented, mutantsOf, mutated } from './mutants.ts';
import { listed, summary, type Tried } from './report.ts';

const changesOf = (code: string) => mutantsOf('src/a.ts', code).map(({ was, by }) => `${was} → ${by}`);
const textsOf = (code: string) => mutantsOf('src/a.ts', code).map(({ change }) => mutated(code, change));

test.each<[string, readonly string[]]>([
  ['const a = b < c;', ['< → <=', '< → >=']],
  ['const a = b === null;', ['=== → !==']],
  ["const a = b !== 'code';", ['!== → ===', "'code' → '~'"]],
  ['const a = b && c;', ['&& → ||']],
  ['const a = b.c ?? d;', ['?? d → ']],
  ['const a = !b;', ['! → ']],
  ['const a = b - c * d;', ['- → +', '* → /']],
  ['const a = 3;', ['3 → 4', '3 → 2']],
  ['const a = 0.9;', ['0.9 → 1.8', '0.9 → 0.45']],
  ['const A = 8192;', ['8192 → 16384', '8192 → 4096']],
  ['a += b;', ['a += b; → ;', '+= → -=']],
  ['i++;', ['i++; → ;', '++ → --']],
  ['await a();', ['await a(); → ;', 'await → ']],
  ['const a = b?.c;', ['?. → !.']],
  ['const a = b?.[c];', ['?. → !']],
  ['const a = b.filter(c).length;', ['.filter(c) → ']],
  ['const a = Math.min(b, c);', ['min → max']],
  ['const a = [b];', ['[b] → []']],
  ['const a = /^b$/i;', ['/^b$/i → /b$/i', '/^b$/i → /^b/i', '/^b$/i → /^b$/']],
  ["const a = b.has('c');", ["'c' → '~'"]],
  ['function f() { return a; }', ['a → null', 'a → undefined']],
  ['if (a) b();', ['a → true', 'a → false', 'b(); → ;']],
  ['while (a) b();', ['a → false', 'b(); → ;']],
])('%s', (code, changes) => {
  expect(changesOf(code)).toEqual(changes);
});

test('wording, types and what the types alone ask for are left alone', () => {
  const code = [
    "import { a } from 'a';",
    'interface A { b: 1 | 2 }',
    "throw new StoreError('STORE_IO', b(a - 1) + (c ? 'one' : 'two'));",
    'return_(storeErrorFrom(a, 3));',
    "log.info({ a: 1 }, 'text');",
    "const c = b + 'd';",
    'const e = column[slot] ?? 0;',
  ].join('\n');
  expect(changesOf(code)).toEqual(['return_(storeErrorFrom(a, 3)); → ;', "log.info({ a: 1 }, 'text'); → ;", '?? 0 → ']);
});

test('a mutant knows its line, the block it stands in, and is one change', () => {
  const code = 'const a = 1;\nfunction f(): number {\n  return b + 2;\n}\nconst g = () => a - 1;\n';
  const block = code.indexOf('{');
  const arrow = code.indexOf('() =>');
  expect(mutantsOf('src/a.ts', code).map((one) => [one.line, one.text, one.block])).toEqual([
    [1, 'const a = 1;', null],
    [1, 'const a = 1;', null],
    ...Array.from({ length: 5 }, () => [3, 'return b + 2;', block]),
    ...Array.from({ length: 3 }, () => [5, 'const g = () => a - 1;', arrow]),
  ]);
  expect(textsOf('const a = b < c;')).toEqual(['const a = b <= c;', 'const a = b >= c;']);
});

test('instrumented code tells of every block it runs, and does what it did', () => {
  const code =
    'const f = (a) => ({ b: a });\nfunction g(a) { if (a) { return f(1); } return f(2); }\nreturn [g(false).b, g(true).b, hits];';
  const instrumentedCode = instrumented(code.replaceAll('return [', 'out = ['), 'hit', (block) => block);
  const run = new Function(`let out; const hits = []; const hit = (n) => hits.push(n); ${instrumentedCode}; return out;`);
  const [f, g, branch] = [code.indexOf('(a) =>'), code.indexOf('{ if'), code.indexOf('{ return f(1)')];
  expect(run()).toEqual([2, 1, [g, f, g, branch, f]]);
});

test('the score counts time caps as kills, and what the compiler refused nowhere; survivors stand with their reasons', () => {
  const [first, second] = mutantsOf('src/a.ts', 'const a = b < c;');
  if (!first || !second) throw new Error('two mutants');
  const tried: Tried[] = [
    ...Array.from({ length: 6 }, () => ({ mutant: first, outcome: 'killed', by: 'a test' }) as const),
    { mutant: first, outcome: 'timed-out', by: 'test/a.test.ts' },
    { mutant: first, outcome: 'refused', by: null },
    { mutant: second, outcome: 'survived', by: '(1 test files come by)' },
    { mutant: first, outcome: 'survived', by: '(2 test files come by)' },
  ];
  const reasons = [{ file: 'src/a.ts', text: 'const a = b < c;', was: '<', by: '>=', why: 'b is never c' }];
  const text = summary('room', tried, reasons);
  expect(text).toContain(
    'room: 9 mutants, 7 killed (1 of them by the time cap), 2 survived (1 with a reason): score 77.8 % (45.3 % to 93.7 %)',
  );
  expect(text).toContain('without those that may live: score 87.5 % (52.9 % to 97.8 %); 1 more were refused by the compiler');
  expect(listed(tried, reasons).join('\n')).toMatch(
    /time cap {2}src\/a\.ts:1 {2}< → <= {2}in test\/a\.test\.ts\n.*>=.*\n.*b is never c\n.*<=.*\n.*no reason/,
  );
});
