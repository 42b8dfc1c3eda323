/**
 * What the extractor does to a topic model, beside tools/bench/harvest.ts, whose labels are sections of one site.
 *
 * 1. Subjects on hosts not seen: a model of pages of some hosts of a subject judges pages of its other hosts against pages of hosts of other
 *    subjects. No host gives pages to more than one of training, background and judging.
 * 2. The sections of `npm run bench -- harvest`, told from the rest of their host.
 *
 * `boilerplate` is no extractor but a control: the visible text that `block` leaves out, alone, without the page's title. It is mostly
 * navigation, but also what `block` loses of the main text.
 *
 *   npm run bench -- effect [--web DIR] [--background bundled,same] [--examples 10,20] [--draws 5] [--judged 20] [--runs 3] [--seed 1] [--json FILE]
 *
 * `--background same` trains against pages read in the same way instead of the background that comes with the program.
 * Needs a built web of several subjects, and for 2 the hosts of `npm run bench -- harvest`: npm run data -- web-build.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { rankCorrelation } from '../../src/study/eval/rank-correlation.ts';
import { mean, type PairedCase, pairedDifference, signed } from '../quality/paired-difference.ts';
import { BACKGROUNDS, type HeldOut, heldOutHosts } from './held-out-hosts.ts';
import { Readings, type Way } from './readings.ts';
import { type SectionLeak, sectionLeaks } from './section-leak.ts';
import { MEASURED, TRAINING_PAGES } from './section-targets.ts';

const WAYS: readonly Way[] = [...MAIN_TEXT_METHODS, 'boilerplate'];
const SECTION_WAYS: readonly Way[] = ['block', 'none', 'boilerplate'];

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    background: { type: 'string', default: 'bundled' },
    examples: { type: 'string', default: '10,20' },
    draws: { type: 'string', default: '5' },
    judged: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const backgrounds = BACKGROUNDS.filter((name) => values.background.split(',').includes(name));
const sizes = values.examples.split(',').map(Number);
const common = { web: values.web, progress: (line: string) => process.stderr.write(`${line}\n`) };

const readings = new Readings(values.web);
const heldOut = await heldOutHosts(readings, {
  ...common,
  ways: WAYS,
  backgrounds,
  examples: sizes,
  draws: Number(values.draws),
  judged: Number(values.judged),
  seed: Number(values.seed),
});
for (const background of backgrounds) {
  for (const examples of sizes) {
    const models = heldOut.filter((model) => model.background === background && model.examples === examples);
    printSubjects(`${examples} examples, background ${background}`, models);
  }
}
const leaks = await sectionLeaks(readings, { ...common, ways: SECTION_WAYS, runs: Number(values.runs) });
if (leaks.length > 0) printLeaks();
if (values.json) {
  const sections = leaks.map((leak) => ({ ...leak, precision: Object.fromEntries(leak.precision) }));
  writeFileSync(values.json, `${JSON.stringify({ heldOut, sections }, null, 2)}\n`);
}

function printSubjects(what: string, models: readonly HeldOut[]): void {
  const subjects = [...new Set(models.map(({ subject }) => subject))];
  const over = (subject: string, figure: (model: HeldOut) => number, way: Way) =>
    mean(models.filter((model) => model.subject === subject && model.way === way).map(figure));
  const precisions = (way: Way) => subjects.map((subject) => over(subject, ({ precision }) => precision, way));
  const chances = subjects.map((subject) => over(subject, ({ chance }) => chance, 'none'));

  say(`\n### Subjects on hosts not seen: ${what}\n`);
  say(`Average precision, mean of ${values.draws} draws; at most ${values.judged} pages of a host are judged.\n`);
  say(`| | ${subjects.join(' | ')} | mean |\n|${' --- |'.repeat(subjects.length + 2)}`);
  for (const way of WAYS) sayRow(way, precisions(way));
  sayRow('by chance', chances);
  say('\nOn the same draws, each subject counting once, ± standard error over subjects:\n');
  for (const [i, ours] of MAIN_TEXT_METHODS.entries())
    for (const theirs of MAIN_TEXT_METHODS.slice(i + 1)) say(`- ${differenceOf(models, ours, theirs)}`);
  const lead = less(precisions('none'), precisions('block'));
  const known = less(precisions('boilerplate'), chances);
  say(
    `\nRank correlation over subjects of the lead of none on block with what boilerplate alone has above chance: ${signed(rankCorrelation(lead, known))}`,
  );
}

function sayRow(name: string, cells: readonly number[]): void {
  say(`| ${name} | ${[...cells, mean(cells)].map((cell) => cell.toFixed(3)).join(' | ')} |`);
}

function less(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((number, i) => number - (theirs[i] ?? Number.NaN));
}

function differenceOf(models: readonly HeldOut[], ours: MainTextMethod, theirs: MainTextMethod): string {
  const other = new Map(models.filter(({ way }) => way === theirs).map(({ draw, precision }) => [draw, precision]));
  const cases = models
    .filter(({ way }) => way === ours)
    .map(({ subject, draw, precision }): PairedCase => ({ cluster: subject, ours: precision, theirs: other.get(draw) ?? Number.NaN }));
  const { mean: middle, standardError, clusters, ahead } = pairedDifference(cases);
  return `${ours} less ${theirs}: ${signed(middle)} ± ${standardError.toFixed(3)}, ahead in ${ahead} of ${clusters} subjects`;
}

function printLeaks(): void {
  say('\n### Sections of one host\n');
  say(
    `Average precision, mean of ${values.runs} runs: ${TRAINING_PAGES} training pages of a section, up to ${MEASURED.onTopic} others of it against ` +
      `${MEASURED.others} others of its host. Named: share of pages whose boilerplate has a word that begins with the name of the section’s folder, ` +
      'in the section and elsewhere on the host.\n',
  );
  say(`| section | ${SECTION_WAYS.join(' | ')} | by chance | named |\n|${' --- |'.repeat(SECTION_WAYS.length + 3)}`);
  for (const section of new Set(leaks.map((leak) => leak.section))) sayLeak(leaks.filter((leak) => leak.section === section));
}

function sayLeak(own: readonly SectionLeak[]): void {
  const over = (figureOf: (leak: SectionLeak) => number) => mean(own.map(figureOf));
  const cells = [...SECTION_WAYS.map((way) => over(({ precision }) => precision.get(way) ?? Number.NaN)), over(({ chance }) => chance)];
  const shares = [over(({ named }) => named.onTopic), over(({ named }) => named.others)].map((share) => `${Math.round(100 * share)} %`);
  say(`| ${own[0]?.section} | ${cells.map((cell) => cell.toFixed(3)).join(' | ')} | ${shares.join(', ')} |`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
