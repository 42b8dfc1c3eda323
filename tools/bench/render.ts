/**
 * What rendering brings and costs: the web of shells (`datasets/shell-web`) crawled with `--render never`, `auto` and `always`, each in a process of its
 * own. F1 of the main text by words, against the true text and against that of `always`; pages rendered; CPU time of the crawl and of all processes of its
 * browser; pages of the topic that are kept. The truth comes from the data of the web, not from a browser.
 *
 *   npm run bench -- render [--pages 600] [--seed 1] [--modes never,auto,always] [--worst 0]
 *
 * `--worst N` also lists the pages with the lowest F1. Needs Chromium; as root it runs without its sandbox, for these pages of ours. Five minutes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { train } from 'forager';
import { SHELL_KINDS } from '../../datasets/shell-web/shell-kinds.ts';
import { type ShellPage, shellWeb } from '../../datasets/shell-web/shell-web.ts';
import { type LogLine, startWebProxy } from '../../datasets/web-proxy.ts';
import { RENDER_CHOICES } from '../../src/base/core/rendering.ts';
import { numberTable } from '../../src/base/text/markdown.ts';
import { mean } from '../../src/study/eval/bootstrap.ts';
import { scorePage } from '../quality/score.ts';
import { type ModeRun, runMode } from './render/mode-run.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    modes: { type: 'string', default: RENDER_CHOICES.join(',') },
    worst: { type: 'string', default: '0' },
  },
});
const TOPIC = 'topic-1';
const EXAMPLES = 30;

const web = shellWeb({ seed: Number(values.seed), pages: Number(values.pages) });
const folder = mkdtempSync(join(tmpdir(), 'forager-render-'));
const server = await startWebProxy(web.source, { robots: web.robots });
try {
  const runs = await crawls();
  say(modeTable(runs));
  say(kindTable(runs));
  for (const run of runs) say(worstOf(run));
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function crawls(): Promise<readonly Measured[]> {
  mkdirSync(join(folder, 'examples'));
  for (const [i, html] of web.examples(TOPIC, EXAMPLES).entries()) writeFileSync(join(folder, 'examples', `${i}.html`), html);
  const topic = join(folder, 'models', TOPIC);
  await train({ examples: [join(folder, 'examples')], out: topic });
  const seeds = join(folder, 'seeds.txt');
  writeFileSync(seeds, web.seeds().join('\n'));
  const runs: Measured[] = [];
  for (const mode of RENDER_CHOICES.filter((choice) => values.modes.split(',').includes(choice))) {
    const from = server.log.length;
    const run = await runMode({ mode, topic, seeds, dir: join(folder, mode), proxy: server.proxy });
    runs.push({ ...run, log: server.log.slice(from) });
    process.stderr.write(`${mode}: ${run.texts.size} pages in ${run.wallSeconds.toFixed(0)} s\n`);
  }
  return runs;
}

interface Measured extends ModeRun {
  readonly log: readonly LogLine[];
}

function modeTable(runs: readonly Measured[]): string {
  const always = runs.find(({ mode }) => mode === 'always');
  const heads = [
    '--render',
    'pages',
    'F1',
    'F1 to always',
    'shells rendered',
    'static rendered',
    'in vain',
    'requests',
    'CPU s',
    'browser',
    's a rendered page',
    'to always',
    'on topic',
  ];
  return numberTable(
    heads,
    runs.map((run) => [run.mode, ...cellsOf(run, always)]),
  );
}

function cellsOf(run: Measured, always: Measured | undefined): readonly string[] {
  const { own, others } = run.cpuSeconds;
  const whole = always && always.cpuSeconds.own + always.cpuSeconds.others;
  return [
    String(run.texts.size),
    three(f1Of(run, web.pages)),
    always ? three(mean([...always.texts].map(([url, text]) => scoreOf(run.texts.get(url), text)))) : '',
    shareRendered(
      run,
      web.pages.filter(({ kind }) => kind !== null),
    ),
    shareRendered(
      run,
      web.pages.filter(({ kind }) => kind === null),
    ),
    String([...run.rendered.values()].filter(({ used }) => !used).length),
    String(run.log.length),
    (own + others).toFixed(1),
    others.toFixed(1),
    run.rendered.size === 0 ? '' : (others / run.rendered.size).toFixed(2),
    whole ? percent((own + others) / whole) : '',
    `${onTopicOf(run)} of ${web.pages.filter(({ topic }) => topic === TOPIC).length}`,
  ];
}

/** Pages, each once: a page of a router is kept under one of its routes. */
function onTopicOf({ kept }: Measured): number {
  const pages = kept.flatMap(({ url }) => web.page(url) ?? []);
  return new Set(pages.filter(({ topic }) => topic === TOPIC)).size;
}

/** Mean F1 by kind of page. */
function kindTable(runs: readonly Measured[]): string {
  const rows = [null, ...SHELL_KINDS].map((kind) => {
    const pages = web.pages.filter((page) => page.kind === kind);
    return [kind ?? 'static', ...runs.flatMap((run) => [three(f1Of(run, pages)), shareRendered(run, pages)])];
  });
  return numberTable(['kind', ...runs.flatMap(({ mode }) => [`F1, ${mode}`, 'rendered'])], rows);
}

/** A page that was not reached has no text: its F1 is 0. */
function f1Of(run: Measured, pages: readonly ShellPage[]): number {
  return mean(pages.map(({ url, text }) => scoreOf(run.texts.get(url), text)));
}

function scoreOf(found: string | undefined, truth: string): number {
  return scorePage(found ?? '', truth, 'words').f1;
}

function shareRendered(run: Measured, pages: readonly ShellPage[]): string {
  const count = pages.filter(({ url }) => run.rendered.has(url)).length;
  return `${count} of ${pages.length}, ${percent(count / pages.length)}`;
}

function worstOf(run: Measured): string {
  const scored = web.pages.map(({ url, text }) => ({ url, f1: scoreOf(run.texts.get(url), text) })).sort((a, b) => a.f1 - b.f1);
  return scored
    .slice(0, Number(values.worst))
    .map(({ url, f1 }) => `${run.mode} ${three(f1)} ${url} ${JSON.stringify(run.rendered.get(url) ?? null)}`)
    .join('\n');
}

function three(value: number): string {
  return value.toFixed(3);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function say(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n\n`);
}
