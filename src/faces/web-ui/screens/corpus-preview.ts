/** The pages of a harvest at each threshold, and the harvest itself. */
import { countText, percentText } from '../../../base/text/number-text.ts';
import type { RecordTallies } from '../../../corpus/select/harvest-facts.ts';
import { HARVEST_FILTERS } from '../../../corpus/select/harvest-filters.ts';
import { COUNTED_FILTERS } from '../../../corpus/select/harvest-thresholds.ts';
import type { Job } from '../background-jobs.ts';
import { commandLine } from '../command-line.ts';
import { harvestChoice, harvestCommandText, nearHarvest } from '../harvest-choice.ts';
import { jobState } from '../job-state.ts';
import { html, type Markup } from '../markup.ts';
import { surveyOf } from '../opened-crawl.ts';
import { button, figure, type HtmlColumn, meter, table } from '../pieces.ts';
import type { DatedSurvey, ReadingOf } from '../readings.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { STRINGS, timeText, unitText } from '../strings.ts';
import { harvestForm } from './harvest-form.ts';

const TEXT = STRINGS.corpus;
/** Steps in hundredths, in which the survey counts: tenths, and closer where most kept pages are. */
const HUNDREDTHS = [10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 95, 98, 99] as const;
const BACK = { kind: 'see', path: '/corpus' } as const;

export const corpus: readonly Route[] = [
  get('/corpus', async (asked) => {
    const survey = await surveyOf(asked.place);
    const steps = stepsOf(survey);
    const precisions = await asked.place.reader.ask(
      'precisions',
      steps.map(({ least }) => least),
    );
    return { kind: 'screen', title: TEXT.title, main: screen(asked, survey, steps, precisions) };
  }),
  post('/corpus/count', async ({ place }) => {
    place.jobs.start('preview', { thresholds: stepsOf(await surveyOf(place)).map(({ least }) => least) });
    return BACK;
  }),
  post('/corpus/harvest', async ({ place, form }) => {
    place.jobs.start('harvest', harvestChoice(place.dir, form));
    return BACK;
  }),
  post('/corpus/stop', async ({ place, form }) => {
    place.jobs.stop(form.get('what') === 'preview' ? 'preview' : 'harvest');
    return BACK;
  }),
];

/** A threshold, and how many kept pages reach it. */
interface Step {
  readonly least: number;
  readonly kept: number;
  readonly name: string;
}

/** Steps in ascending order: all kept pages, the threshold of the model, and fixed steps that fewer pages reach than the one before. */
function stepsOf({ status: { topic, counts }, keptByRelevance, keptOnTopic }: DatedSurvey): Step[] {
  const fixed = HUNDREDTHS.map((hundredths) => ({
    least: hundredths / 100,
    kept: keptByRelevance.slice(hundredths).reduce((sum, count) => sum + count, 0),
    name: (hundredths / 100).toFixed(2),
  }));
  const ofModel = { least: topic.threshold, kept: keptOnTopic, name: `${unitText(topic.threshold)}, ${TEXT.ofModel}` };
  const all = { least: 0, kept: counts.kept, name: TEXT.all };
  const steps = [...(keptOnTopic === counts.kept ? [] : [all]), ofModel, ...fixed].sort((a, b) => a.least - b.least);
  return steps.filter((step, i) => step === ofModel || step === all || isLess(step, steps[i - 1], counts.kept));
}

/** Fewer pages than at the step before, or than all. */
function isLess({ kept }: Step, before: Step | undefined, all: number): boolean {
  return kept < (before?.kept ?? all);
}

function screen(asked: Asked, survey: DatedSurvey, steps: readonly Step[], precisions: ReadingOf<'precisions'>): Markup {
  const { place, formToken } = asked;
  const preview = place.jobs.last('preview');
  const count =
    preview?.state === 'running'
      ? null
      : html`<div class="start">${button(formToken, '/corpus/count', preview?.state === 'done' ? TEXT.countAgain : TEXT.count)}<small>${TEXT.cost}</small></div>`;
  return html`<h1>${TEXT.title}</h1>${figures(survey)}
<section><h2>${TEXT.byThreshold}</h2>${thresholds(steps, precisions, preview)}
${jobState(preview, formToken, '/corpus/stop', 'preview')}${count}
<p><small>${TEXT.counted(COUNTED_FILTERS.map(({ leaves }) => leaves).join(', '))} ${TEXT.same} ${TEXT.precisionNote}</small></p>
<p><small>${TEXT.uncounted}</small></p>${commandLine(harvestCommandText(place.dir, nearHarvest(place.dir)))}</section>
${harvestForm(asked)}${lastHarvest(asked)}`;
}

function figures({ status: { topic, counts, precision }, at }: DatedSurvey): Markup {
  const measured = precision === null ? TEXT.notMeasured : percentText(precision.share);
  return html`<p><small>${STRINGS.asOf(timeText(at))}</small></p><dl class="figures">
${figure(TEXT.kept, countText(counts.kept))}
${figure(TEXT.threshold, unitText(topic.threshold))}
${figure(TEXT.precision, measured, precision === null ? null : TEXT.interval('', percentText(precision.low), percentText(precision.high)))}
</dl>`;
}

function thresholds(steps: readonly Step[], precisions: ReadingOf<'precisions'>, preview: Job<'preview'> | null): Markup {
  const exact = new Map(
    preview?.state === 'done' ? preview.value.thresholds.map(({ minRelevance, records }) => [minRelevance, records]) : [],
  );
  const most = Math.max(1, ...steps.map(({ kept }) => kept));
  const taken = (head: string, pick: (records: RecordTallies) => number): HtmlColumn<Step> => ({
    head,
    cell: ({ least }) => numberOrDash(exact.get(least), pick),
    isNumber: true,
  });
  return table(
    TEXT.byThreshold,
    [
      { head: TEXT.least, cell: ({ name }) => name },
      { head: TEXT.pages, cell: ({ kept }) => countText(kept), isNumber: true },
      ...(exact.size === 0
        ? []
        : [
            taken(TEXT.taken, ({ kept }) => kept),
            taken(TEXT.duplicates, ({ leftOut }) => leftOut.exact),
            taken(TEXT.reserved, ({ leftOut }) => leftOut.rights),
          ]),
      { head: TEXT.precision, cell: (step) => precisionText(precisions[steps.indexOf(step)] ?? null), isNumber: true },
      { head: '', cell: ({ kept }) => meter(kept / most) },
    ],
    steps,
  );
}

function numberOrDash(records: RecordTallies | undefined, pick: (records: RecordTallies) => number): string {
  return records === undefined ? '–' : countText(pick(records));
}

function precisionText(precision: ReadingOf<'precisions'>[number]): string {
  if (precision === null) return TEXT.notMeasured;
  return TEXT.interval(percentText(precision.share), percentText(precision.low), percentText(precision.high));
}

function lastHarvest({ place, formToken }: Asked): Markup | null {
  const job = place.jobs.last('harvest');
  if (job === null) return null;
  return html`<section id="harvest"><h2>${TEXT.last}</h2>${commandLine(harvestCommandText(place.dir, job.given))}
${jobState(job, formToken, '/corpus/stop', 'harvest')}${job.state === 'done' && harvested(job.value)}</section>`;
}

function harvested({ outDir, card: { records, files } }: Extract<Job<'harvest'>, { state: 'done' }>['value']): Markup {
  const omissions = table(
    TEXT.omitted,
    [
      { head: TEXT.reason, cell: ({ leaves }) => leaves },
      { head: TEXT.omittedPages, cell: ({ name }) => countText(records.leftOut[name]), isNumber: true },
    ],
    HARVEST_FILTERS.filter(({ name }) => records.leftOut[name] > 0),
  );
  const written = table(
    TEXT.files,
    [
      { head: TEXT.file, cell: ({ name }) => html`<bdi>${name}</bdi>` },
      { head: TEXT.bytes, cell: ({ bytes }) => countText(bytes), isNumber: true },
    ],
    files,
  );
  return html`<p>${TEXT.result(countText(records.kept), countText(records.read), outDir)} ${TEXT.card}</p>${records.kept < records.read && omissions}${written}`;
}
