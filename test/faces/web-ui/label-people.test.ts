/** Two people label one crawl through one page, each in a browser of their own; and a mode belongs to its tab. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLabelling } from 'forager';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { chatServer, reply } from '../../support/chat-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf, type Screen } from './tables.ts';

const small = smallWeb();
let made: string;
let copies = 0;
let page: OpenPage | null = null;

beforeAll(async () => {
  made = (await crawlToLabel(small, 60)).dir;
});
afterEach(() => page?.close());
afterAll(() => small.close());

async function opened(names: readonly string[]) {
  const dir = small.path(`people-${copies++}`);
  cpSync(made, dir, { recursive: true });
  page = await openPage({ dir, address: '0', run: null });
  const clients: PageClient[] = [];
  for (const name of names) {
    const client = await PageClient.of(page.url);
    await client.post('/label/name', { name });
    clients.push(client);
  }
  const [first, second] = clients;
  if (first === undefined || second === undefined) throw new Error('two people are needed');
  return { dir, first, second };
}

const askedOf = (screen: Screen) => screen.querySelector('.question .url')?.textContent ?? '';
const asked = async (client: PageClient, mode = 'teach') => askedOf(await client.screen(`/label?mode=${mode}`));

interface Line {
  readonly url: string;
  readonly name?: string;
  readonly queue: string;
  readonly answer: string;
  readonly known?: true;
}

function linesOf(dir: string): Line[] {
  const [, ...lines] = readFileSync(join(dir, 'labels.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

test('two people have questions of their own, their names on their answers, and an undo of their own answers alone', async () => {
  const { dir, first, second } = await opened(['Anna', 'Ben']);
  const answered = { Anna: [] as string[], Ben: [] as string[] };
  for (let i = 0; i < 6; i++) {
    const [a, b] = [await asked(first), await asked(second)];
    expect(a).not.toBe(b);
    await first.post('/label/answer', { url: a, answer: 'y' });
    await second.post('/label/answer', { url: b, answer: 'n' });
    answered.Anna.push(a);
    answered.Ben.push(b);
  }
  const lines = linesOf(dir).filter(({ known }) => known !== true);
  expect(lines.map(({ name, answer }) => [name, answer])).toEqual(
    Array.from({ length: 6 }, () => [
      ['Anna', 'y'],
      ['Ben', 'n'],
    ]).flat(),
  );
  // Each answer has the queue of its question, although the other person took a turn meanwhile.
  expect(lines.filter(({ queue }) => queue === 'import')).toEqual([]);
  await first.post('/label/undo');
  await first.post('/label/undo');
  expect([...answered.Ben, ...answered.Anna.slice(0, 4)]).not.toContain(await asked(first));
  await first.post('/label/leave');
  const labelling = await openLabelling({ dir });
  expect(labelling.counts).toEqual({ yes: 4, no: 6, skipped: 0 });
  for (const url of answered.Ben) expect(labelling.isAnswered(url)).toBe(true);
  for (const [i, url] of answered.Anna.entries()) expect(labelling.isAnswered(url)).toBe(i < 4);
  await labelling.close();
});

test('a page that two people answered differently is listed with its answers; one button decides, and undo takes it back', async () => {
  const { dir, first, second } = await opened(['Anna', 'Ben']);
  const url = await asked(first, 'measure');
  await first.post('/label/answer', { url, answer: 'y', mode: 'measure' });
  expect(await asked(second, 'measure')).toBe(url);
  await second.post('/label/answer', { url, answer: 'n', mode: 'measure' });
  const shown = async () =>
    [...(await first.screen('/label')).querySelectorAll('.differing li')].map((item) => item.querySelector('p')?.textContent);
  expect((await first.screen('/label')).querySelector('.differing .url')?.textContent).toBe(url);
  expect(await shown()).toEqual(['Anna y, Ben n. Decision: none, the later answer counts.']);
  await first.post('/label/decide', { url, answer: 'x' });
  expect(await shown()).toEqual(['Anna y, Ben n. Decision: none, the later answer counts.']);
  await first.post('/label/decide', { url, answer: 'y' });
  expect(await shown()).toEqual(['Anna y, Ben n. Decision: y, Anna.']);
  expect(linesOf(dir).at(-1)).toMatchObject({ url, answer: 'y', queue: 'decision', name: 'Anna' });
  await first.post('/label/undo');
  expect(await shown()).toEqual(['Anna y, Ben n. Decision: none, the later answer counts.']);
});

wholeTest(
  'measure by name: both are asked about the same random pages, so that they have a kappa; the precision counts each page once',
  async () => {
    const { dir, first, second } = await opened(['Anna', 'Ben']);
    const urls: string[] = [];
    for (let i = 0; i < 6; i++) {
      urls.push(await asked(first, 'measure'));
      await first.post('/label/answer', { url: urls.at(-1) ?? '', answer: i < 3 ? 'y' : 'n', mode: 'measure' });
    }
    for (const [i, url] of urls.entries()) {
      expect(await asked(second, 'measure')).toBe(url);
      await second.post('/label/answer', { url, answer: i < 2 ? 'y' : 'n', mode: 'measure' });
    }
    const shown = [...(await second.screen('/label')).querySelectorAll('.agreement')].map(({ textContent }) => textContent);
    // As in label-passes.test.ts.
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(
      /^Anna and Ben: 6 pages that both answered, 5 equally; Cohen's kappa 0\.67 \(95 % interval -?0\.\d\d to 0\.\d\d\)\.$/,
    );
    await first.post('/label/leave');
    const labelling = await openLabelling({ dir });
    expect(labelling.estimate().kept).toMatchObject({ answered: 6, share: 2 / 6 });
    await labelling.close();
  },
);

wholeTest('a mode belongs to the address of its tab, and GET writes nothing', async () => {
  const { dir, first } = await opened(['Anna', 'Ben']);
  for (let i = 0; i < 9; i++) await first.post('/label/answer', { url: await asked(first), answer: 'y' });
  const before = readFileSync(join(dir, 'labels.jsonl'));
  const teach = await first.screen('/label');
  for (const mode of ['measure', 'new-hosts', 'teach', 'x'])
    for (const path of ['/label', '/label/grid']) {
      const screen = await first.screen(`${path}?mode=${mode}`);
      const shown = screen.querySelector('.modes [aria-current="true"]')?.textContent;
      expect(shown).toBe({ measure: 'Measure', 'new-hosts': 'New hosts' }[mode] ?? 'Teach');
    }
  expect(askedOf(await first.screen('/label'))).toBe(askedOf(teach));
  expect(readFileSync(join(dir, 'labels.jsonl'))).toEqual(before);
  const answer = await first.post('/label/answer', { url: await asked(first, 'measure'), answer: 'n', mode: 'measure' });
  expect(answer.headers['location']).toBe('/label?mode=measure');
  expect(linesOf(dir).at(-1)?.queue).toBe('random');
});

wholeTest(
  'a language model is shown beside a person: its answer and reason after that of the person alone, and their agreement',
  async () => {
    const server = await chatServer((response, { page: { url } }) =>
      reply(response, JSON.stringify({ onTopic: small.web.topicOf(url) === small.topic, reason: `it is ${url}` })),
    );
    const dir = small.path('people-judged');
    cpSync(made, dir, { recursive: true });
    const labelling = await openLabelling({ dir });
    await labelling.judge({ judgeUrl: server.url, judgeModel: 'small' });
    await labelling.close();
    page = await openPage({ dir, address: '0', run: null });
    const client = await PageClient.of(page.url);
    const first = await client.screen('/label');
    const url = askedOf(first);
    expect(first.querySelector('.judge')?.textContent).toContain(
      'Pages that a person answered too: 0, 0 of them equally. Kappa is not known.',
    );
    expect(first.querySelector('main')?.textContent).not.toContain(`it is ${url}`);
    const isOnTopic = small.web.topicOf(url) === small.topic;
    await client.post('/label/answer', { url, answer: isOnTopic ? 'n' : 'y' });
    const second = await client.screen('/label');
    const [said, other] = isOnTopic ? ['off topic', 'on topic'] : ['on topic', 'off topic'];
    expect(second.querySelector('.judge p')?.textContent).toContain(`Your last page: you answered ${said}, the language model ${other}.`);
    expect(second.querySelector('.judge q')?.textContent).toBe(`it is ${url}`);
    expect(second.querySelector('main')?.textContent).not.toContain(`it is ${askedOf(second)}`);
    expect(cellsOf(second, 'A language model').map((cells) => cells.slice(0, 3))).toEqual([
      [isOnTopic ? 'n' : 'y', isOnTopic ? 'y' : 'n', `it is ${url}`],
    ]);
    for (let i = 0; i < 9; i++) {
      const next = await asked(client);
      await client.post('/label/answer', { url: next, answer: small.web.topicOf(next) === small.topic ? 'y' : 'n' });
    }
    const shown = (await client.screen('/label')).querySelector('.judge')?.textContent ?? '';
    await client.post('/label/leave');
    const again = await openLabelling({ dir });
    const facts = again.modelAnswers;
    await again.close();
    await server.close();
    expect(facts?.agreement.pages).toBe(10);
    expect(shown).toContain('Pages that a person answered too: 10, 9 of them equally.');
    expect(shown).toContain(`Kappa ${facts?.agreement.kappa?.toFixed(4)} (`);
    expect(shown).toContain(`small: ${facts?.yes} yes, ${facts?.no} no.`);
  },
);
