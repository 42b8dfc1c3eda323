import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slugOf } from '../../../dist/faces/app/project-file.js';
import { dialogue, type TerminalPerson } from '../../../dist/faces/cli/init-dialogue.js';
import { init } from '../../../src/faces/library/library.ts';
import { done, forager, refused } from './forager.ts';
import { type Served, smallWeb } from './small-web.ts';

const small = smallWeb();
const { path } = small;
/** As `forager.yaml` names a variable of the environment. */
const NAMED = '$' + '{HOME}';
const contact = 'you@example.org';
let served: Served;

beforeAll(async () => {
  served = await small.serve();
});
afterAll(() => small.close());

function answers(without: string, ...more: string[]): string[] {
  const all = {
    '--subject': ['Peat Moss'],
    '--contact': [contact],
    '--examples': [small.examples],
    '--seeds': [...small.seeds],
    '--proxy': [served.proxy],
    '--max-pages': ['20'],
    '--delay': ['0ms'],
  };
  return [...Object.entries(all).flatMap(([name, values]) => (name === without ? [] : [name, ...values])), ...more];
}

test('options alone: the file is written, and the printed commands run in its folder', async () => {
  const dir = path('project');
  const { code, stdout } = await forager('init', dir, ...answers(''));
  expect(code).toBe(0);
  expect(stdout).toMatch(/12 example pages, [\d,]+ words/);
  expect(stdout).toMatch(/seeds on http:\S+: allowed/);
  const commands = [...stdout.matchAll(/^ {2}npx forager (.+)$/gm)].map((match) => match[1] ?? '');
  expect(commands.map((line) => line.split(' ')[0])).toEqual(['train', 'crawl', 'harvest']);
  expect(stdout).toContain(`  cd ${dir}\n`);
  const before = process.cwd();
  try {
    process.chdir(dir);
    // Word vectors take longer than the rest of a training.
    for (const line of commands)
      expect(await forager(...line.split(' '), ...(line.startsWith('train') ? ['--word-vectors', 'none'] : []))).toMatchObject({ code: 0 });
  } finally {
    process.chdir(before);
  }
  expect(existsSync(join(dir, 'corpora/peat-moss'))).toBe(true);
  const manifest = JSON.parse(readFileSync(join(dir, 'crawls/peat-moss/crawl.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ contact, delay: 0, proxy: served.proxy, scope: [], seeds: small.seeds });
});

test('keywords instead of examples: the project trains with them', async () => {
  const dir = path('of-keywords');
  await refused(2, ['give one of the two'], 'init', dir, ...answers('', '--keywords', 'moss'));
  await refused(2, ['--keywords: is empty'], 'init', dir, ...answers('--examples', '--keywords', ' '));
  await done('init', dir, ...answers('--examples', '--keywords', 'moss, "peat bog"'));
  const before = process.cwd();
  try {
    process.chdir(dir);
    expect(await done('train', '--config', 'forager.yaml')).toContain('moss OR "peat bog"');
  } finally {
    process.chdir(before);
  }
});

test('every option that is missing is named at once, and nothing is written', async () => {
  await refused(2, ['--subject, --examples, --seeds and --contact are missing'], 'init', path('none'));
  await refused(2, ['--seeds is missing'], 'init', path('none'), '--yes', ...answers('--seeds'));
  expect(existsSync(path('none'))).toBe(false);
});

test('an answer that fails its check ends the command, and nothing is written', async () => {
  const dir = path('bad');
  writeFileSync(path('empty.txt'), ' \n');
  await refused(2, ['nobody: is neither a mail address nor'], 'init', dir, ...answers('--contact', '--contact', 'nobody'));
  await refused(2, ['gone: no such file'], 'init', dir, ...answers('--examples', '--examples', path('gone')));
  await refused(2, ['empty.txt: is empty'], 'init', dir, ...answers('--examples', '--examples', path('empty.txt')));
  await refused(2, ['is neither an http(s) URL nor a file'], 'init', dir, ...answers('--seeds', '--seeds', 'moss'));
  await refused(2, ['a rule is host:NAME'], 'init', dir, ...answers('', '--scope', 'example.org'));
  await refused(2, ['--max-pages'], 'init', dir, ...answers('--max-pages', '--max-pages', 'many'));
  expect(existsSync(dir)).toBe(false);
});

test('hosts that forbid or do not answer: an error if none is left, otherwise a warning', async () => {
  const dir = path('denied');
  const [first = ''] = small.seeds;
  const host = new URL(first).hostname;
  const strict = await small.serve({ robots: new Map([[host, 'User-agent: *\nDisallow: /\n']]) });
  const line = (...seeds: string[]) => [
    'init',
    dir,
    ...answers('--seeds', '--seeds', ...seeds).map((word) => (word === served.proxy ? strict.proxy : word)),
  ];
  const none = await forager(...line(first));
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('no seed can be requested');
  expect(existsSync(dir)).toBe(false);
  const other = small.web.seeds(small.topic, 30).find((url) => new URL(url).hostname !== host) ?? '';
  const some = await forager(...line(first, other));
  expect(some).toMatchObject({ code: 0 });
  expect(some.stderr).toContain('robots.txt forbids the seeds');
  expect(strict.pages).toEqual([]);
});

test('private addresses are named, with their remedy', async () => {
  const seeds = ['--seeds', 'http://127.0.0.1:9/'];
  const line = answers('--seeds', ...seeds).filter((word) => word !== '--proxy' && word !== served.proxy);
  const { code, stderr } = await forager('init', path('private'), ...line);
  expect(code).toBe(2);
  expect(stderr).toContain('(private-address); --allow-private');
  const allowed = await forager('init', path('private'), ...line, '--allow-private');
  expect(allowed).toMatchObject({ code: 2 });
  expect(allowed.stderr).toMatch(/no seed can be requested; the first: \S+ \(connect/);
});

test('an existing file is replaced with --force only', async () => {
  const dir = path('twice');
  mkdirSync(dir);
  writeFileSync(join(dir, 'forager.yaml'), 'delay: 2s\n');
  await refused(2, ['already exists', '--force to replace it'], 'init', dir, ...answers(''));
  expect(readFileSync(join(dir, 'forager.yaml'), 'utf8')).toBe('delay: 2s\n');
  expect(await done('init', dir, ...answers('', '--force', '--json'))).toContain('"slug":"peat-moss"');
});

test('the dialogue explains an answer that fails, and asks again', async () => {
  const lines = [
    '',
    'Ökologie der Moore',
    'nobody',
    contact,
    path('gone'),
    small.examples,
    'moss',
    small.seeds.join(' '),
    'nowhere',
    '',
    'papyrus',
    'pdf,docx',
    'x',
    '',
  ];
  const told: string[] = [];
  const person: TerminalPerson = { ask: async () => lines.shift() ?? '', tell: (line) => void told.push(line) };
  const dir = path('asked');
  const report = await dialogue(person, { dir, proxy: served.proxy }, {});
  expect(lines).toEqual([]);
  expect(report.slug).toBe('ökologie-der-moore');
  for (const part of [
    '--subject: is empty',
    'is neither a mail address nor',
    'no such file',
    'is neither',
    'a rule is',
    '--documents papyrus',
    '--max-pages x',
    '12 example pages',
  ])
    expect(told.join('\n')).toContain(part);
  expect(readFileSync(join(dir, 'forager.yaml'), 'utf8')).toContain('  max-pages: 500\n');
  expect(await done('config', 'crawl', '--config', join(dir, 'forager.yaml'))).toMatch(/documents:? +"?pdf,docx/);
});

test.each([
  ['yes', ['', ''], (own: readonly string[]) => own],
  ['yes, and another', ['maybe', 'y', 'ANOTHER'], (own: readonly string[]) => [...own, small.seeds[0]]],
  ['no', ['no', 'ANOTHER'], () => [small.seeds[0]]],
])('examples that are URLs may be seeds too: %s', async (what, answers, expected) => {
  const list = path(`own-${what.length}.txt`);
  writeFileSync(list, small.seeds.slice(1, 3).join('\n'));
  const asked: string[] = [];
  const left = answers.map((answer) => (answer === 'ANOTHER' ? (small.seeds[0] ?? '') : answer));
  const ask = async (question: string) => {
    asked.push(question);
    return left.shift() ?? '';
  };
  const dir = path(`own-${what.length}`);
  const given = { dir, subject: 'moss', contact, examples: [list], scope: [], documents: 'none' as const, maxPages: 10 };
  await dialogue({ ask, tell: () => undefined }, { ...given, proxy: served.proxy }, { delay: 0 });
  expect(asked[0]).toBe('Also start from your examples? [yes]: ');
  const seeds = expected([`../own-${what.length}.txt`]).map((seed) => `    - "${seed}"\n`);
  expect(readFileSync(join(dir, 'forager.yaml'), 'utf8')).toContain(`  seeds:\n${seeds.join('')}  #`);
});

/** Answers each question by the first of its words; a list of answers is for the question asked again. */
async function talk(dir: string, answers: Readonly<Record<string, readonly string[]>>): Promise<{ asked: string[]; told: string[] }> {
  const [asked, told]: [string[], string[]] = [[], []];
  const left = new Map(Object.entries(answers).map(([word, all]) => [word, [...all]]));
  const ask = async (question: string) => {
    const word = question.split(/[ ,]/, 1)[0] ?? '';
    asked.push(word);
    const answer = left.get(word)?.shift();
    if (answer === undefined) throw new Error(`${question} was asked once too often`);
    return answer;
  };
  await dialogue({ ask, tell: (line) => void told.push(line) }, { dir, contact, scope: [], documents: 'none', maxPages: 10 }, { delay: 0 });
  expect([...left.values()].flat()).toEqual([]);
  return { asked, told };
}

test('no examples: keywords are asked for, and the project trains with them', async () => {
  const dir = path('asked-keywords');
  const { asked, told } = await talk(dir, {
    Subject: ['moss'],
    Proxy: [served.proxy],
    Example: [''],
    Keywords: ['', 'moss OR', 'moss, "peat bog"'],
    Seeds: [small.seeds[0] ?? ''],
  });
  expect(asked).toEqual(['Subject', 'Proxy', 'Example', 'Keywords', 'Keywords', 'Keywords', 'Seeds']);
  expect(told.join('\n')).toContain('--keywords: is empty');
  const written = readFileSync(join(dir, 'forager.yaml'), 'utf8');
  expect(written).toContain('keywords: "moss, \\"peat bog\\""');
  expect(written).toContain(`proxy: "${served.proxy}"`);
  expect(written).not.toMatch(/^ *examples:/m);
});

test('back to the former question, over several, and on from there; the first has none', async () => {
  const dir = path('asked-back');
  const { asked } = await talk(dir, {
    Subject: ['<', 'mos', 'moss'],
    Proxy: ['http://127.0.0.1:1', '<', served.proxy, served.proxy],
    Example: ['', '<', small.examples, small.examples],
    Keywords: ['<'],
    Seeds: ['nowhere', '<', small.seeds[0] ?? ''],
  });
  expect(asked.join(' ')).toBe(
    'Subject Subject Proxy Proxy Subject Proxy Example Keywords Example Proxy Example Seeds Seeds Example Seeds',
  );
  const written = readFileSync(join(dir, 'forager.yaml'), 'utf8');
  expect(written).toContain('models/moss"');
  expect(written).not.toContain('keywords:');
});

test('a dialogue that ends early writes nothing, and neither does a signal in the library', async () => {
  const person: TerminalPerson = { ask: () => Promise.reject(new Error('ended')), tell: () => undefined };
  await expect(dialogue(person, { dir: path('ended') }, {})).rejects.toThrow('ended');
  const options = { dir: path('ended'), subject: 'moss', contact, examples: [small.examples], seeds: small.seeds, proxy: served.proxy };
  await expect(init({ ...options, signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
  expect(existsSync(path('ended'))).toBe(false);
});

test('texts are quoted: the environment and YAML change nothing', async () => {
  const dir = path('quoted');
  const odd = path(`a: "b" ${NAMED} #`);
  mkdirSync(odd);
  for (const i of [0, 1]) writeFileSync(join(odd, `${i}.txt`), `${'moss grows on stone '.repeat(20)}${i}`);
  await done('init', dir, ...answers('--examples', '--examples', odd, '--scope', `regex:moss|${NAMED}`, 'domain:example'));
  const shown = await done('config', 'train', '--config', join(dir, 'forager.yaml'));
  expect(shown).toContain('a: "b" ');
  expect(shown).toContain(`${NAMED} #`);
  expect(await done('config', 'crawl', '--config', join(dir, 'forager.yaml'))).toContain(`regex:moss|`);
});

test('names of folders', () => {
  expect(slugOf('Peat  moss & bogs!')).toBe('peat-moss-bogs');
  expect(slugOf('泥炭蘚 2')).toBe('泥炭蘚-2');
  expect(slugOf('../?!')).toBe('topic');
  expect(slugOf('x'.repeat(300))).toHaveLength(60);
});
