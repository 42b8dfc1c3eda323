/** Screen that leads from an empty folder to a running crawl: one step below the other, each with the command that does the same. */

import { UsageError } from '../../../base/core/errors.ts';
import { countText } from '../../../base/text/number-text.ts';
import { pathWord, shellLine } from '../../../base/text/shell-line.ts';
import type { Job } from '../background-jobs.ts';
import type { WorkName } from '../background-work.ts';
import { commandLine } from '../command-line.ts';
import { jobState } from '../job-state.ts';
import { html, type Markup } from '../markup.ts';
import { startRun } from '../opened-crawl.ts';
import { button } from '../pieces.ts';
import type { Project, ProjectState } from '../project.ts';
import { fieldsIn, fieldsOfChoice, projectChoice, projectFieldsOf, stepCommand } from '../project-answers.ts';
import { type AskedOfProject, ofProject, type ProjectRoute } from '../route.ts';
import { isUnderWay } from '../run.ts';
import { STRINGS } from '../strings.ts';
import { cardSummary } from './card-summary.ts';
import { projectForm, projectSummary } from './project-form.ts';

const TEXT = STRINGS.start;
const BACK = { kind: 'see', path: '/start' } as const;

export const start: readonly ProjectRoute[] = [
  ofProject('GET', '/start', async (asked) => ({ kind: 'screen', title: TEXT.title, main: await screen(asked) })),
  // A form without effect yet: a list of examples may be longer than an address.
  ofProject('POST', '/start/command', async (asked) => {
    const fields = fieldsIn(asked.form);
    projectChoice(fields, false);
    return { kind: 'screen', title: TEXT.title, main: await screen(asked, fields), still: true };
  }),
  step('project', async ({ project, form }) => {
    const { options, isOfForm } = await project.state();
    if (!isOfForm) throw new UsageError(TEXT.byHand);
    project.jobs.start('project', projectChoice(fieldsIn(form), options !== null));
  }),
  step('train', async ({ project }) => {
    const { card } = await project.state();
    project.jobs.start('train', { force: card !== null });
  }),
  step('check', async ({ project }) => {
    const { check } = await project.state();
    project.jobs.start('check', { replace: check === 'of-another' });
  }),
  step('adopt', async ({ project }) => {
    const { desk } = project.placeOf('check');
    if (desk.isRunning) await desk.ask('leave', null);
    project.jobs.start('adopt', { model: project.model() });
  }),
  step('crawl', async ({ project }) => {
    project.show('crawl');
    const { hasCrawl, card } = await project.state();
    if (card === null) throw new UsageError(TEXT.noModel);
    if (!hasCrawl) await startRun(project.placeOf('crawl'));
  }),
  step('stop', async ({ project, form }) => {
    const name = form.get('what') ?? '';
    if (isJob(name)) project.jobs.stop(name);
  }),
  ofProject('POST', '/start/show', async ({ project, form }) => {
    project.show(form.get('what') === 'check' ? 'check' : 'crawl');
    return { kind: 'see', path: form.get('what') === 'check' ? '/label' : '/' };
  }),
];

const JOBS = ['project', 'train', 'check', 'adopt'] as const satisfies WorkName[];

function isJob(name: string): name is (typeof JOBS)[number] {
  return JOBS.some((one) => one === name);
}

function step(name: string, run: (asked: AskedOfProject) => Promise<void>): ProjectRoute {
  return ofProject('POST', `/start/${name}`, async (asked) => {
    if (name !== 'stop') refuseBusy(asked.project);
    await run(asked);
    return BACK;
  });
}

/** Each step changes files that another one reads. @throws UsageError */
function refuseBusy(project: Project): void {
  if (project.running !== null) throw new UsageError(TEXT.crawlRuns);
  if (JOBS.some((name) => isRunning(project, name))) throw new UsageError(TEXT.stepRuns);
}

/** @param fields of a form that asked for its command */
async function screen(asked: AskedOfProject, fields: ReturnType<typeof fieldsIn> | null = null): Promise<Markup> {
  const { project } = asked;
  const state = await project.state();
  return html`<h1>${TEXT.title}</h1><p>${TEXT.about}</p>${commandLine(shellLine(['cd', pathWord(project.folder)]))}
${state.fault !== null && html`<p class="warning" role="alert">${TEXT.fault(state.fault)}</p>`}
<ol class="steps">${answers(asked, state, fields)}${training(asked, state)}${check(asked, state)}${await crawl(asked, state)}${corpus(state)}</ol>`;
}

/** @param state of the step; empty before its start */
function section(title: string, state: string, content: readonly (Markup | null | false)[]): Markup {
  return html`<li><section><h2>${title} ${state !== '' && html`<small>${state}</small>`}</h2>${content}</section></li>`;
}

function stateOf(isDone: boolean, runs: boolean): string {
  return runs ? TEXT.runs : isDone ? TEXT.done : '';
}

function progress({ project, formToken }: AskedOfProject, name: (typeof JOBS)[number]): Markup | null {
  return jobState(project.jobs.last(name), formToken, '/start/stop', name);
}

function isRunning(project: Project, name: WorkName): boolean {
  return project.jobs.last(name)?.state === 'running';
}

function warningsOf(job: Job<'project' | 'train'> | null): Markup[] {
  return job?.state === 'done' ? job.value.warnings.map((warning) => html`<p class="warning">${warning}</p>`) : [];
}

function answers(asked: AskedOfProject, { options, isOfForm }: ProjectState, fields: ReturnType<typeof fieldsIn> | null): Markup {
  const { project, formToken } = asked;
  const job = project.jobs.last('project');
  const written = options === null ? null : projectFieldsOf(options);
  const failed = job?.state === 'failed' || job?.state === 'stopped' ? fieldsOfChoice(job.given) : null;
  const shown = fields ?? failed ?? written ?? fieldsIn(new URLSearchParams({ proxy: project.proxy, ownSeeds: 'on' }));
  const form = projectForm({ fields: shown, isAsked: fields !== null, replaces: options !== null, formToken });
  return section(TEXT.answers, stateOf(options !== null, isRunning(project, 'project')), [
    progress(asked, 'project'),
    ...warningsOf(job),
    job?.state === 'done' &&
      html`<ul>${job.value.value.seeds.map(({ host, state }) => html`<li><bdi>${host}</bdi> ${TEXT.robots[state]}</li>`)}</ul>`,
    written !== null && projectSummary(written),
    !isOfForm && html`<p>${TEXT.byHand}</p>`,
    isRunning(project, 'project') || !isOfForm
      ? null
      : written === null || fields !== null || failed !== null
        ? form
        : html`<details><summary>${TEXT.change}</summary>${form}</details>`,
  ]);
}

function training(asked: AskedOfProject, { options, card }: ProjectState): Markup {
  const { project, formToken } = asked;
  if (options === null) return section(TEXT.training, '', []);
  const again = card === null ? [] : ['--force'];
  return section(TEXT.training, stateOf(card !== null, isRunning(project, 'train')), [
    progress(asked, 'train'),
    ...warningsOf(project.jobs.last('train')),
    card !== null && cardSummary(card),
    commandLine(stepCommand('train', ...again)),
    !isRunning(project, 'train') && button(formToken, '/start/train', card === null ? TEXT.train : TEXT.trainAgain),
  ]);
}

function check(asked: AskedOfProject, { card, check: state }: ProjectState): Markup {
  const { project, formToken } = asked;
  const adopted = project.jobs.last('adopt');
  if (card === null) return section(TEXT.check, '', []);
  if (state === 'no-site') return section(TEXT.check, '', [html`<p>${TEXT.noSite}</p>`]);
  const isFree = !isRunning(project, 'check') && !isRunning(project, 'adopt');
  const job = project.jobs.last('check');
  const visited = job?.state === 'done' ? html`<p>${TEXT.checked(countText(job.value.counts.visited))}</p>` : null;
  return section(TEXT.check, stateOf(adopted?.state === 'done', !isFree), [
    html`<p>${TEXT.checkMeans}</p>`,
    progress(asked, 'check'),
    visited,
    commandLine(stepCommand('train', '--check-site')),
    isFree && button(formToken, '/start/check', state === 'begun' ? TEXT.visitMore : TEXT.visit),
    isFree && state === 'begun' && button(formToken, '/start/show', TEXT.label, { what: 'check' }),
    isFree && state === 'begun' && button(formToken, '/start/adopt', TEXT.adopt),
    progress(asked, 'adopt'),
    adopted?.state === 'done' && html`<p>${adopted.value === null ? TEXT.notAdopted : TEXT.adopted(adopted.value.modelId)}</p>`,
  ]);
}

async function crawl({ project, formToken }: AskedOfProject, { options, card, hasCrawl, crawls }: ProjectState): Promise<Markup> {
  if (card === null || options?.crawl.dir === undefined) return section(TEXT.crawl, '', []);
  const run = await project.placeOf('crawl').run.now();
  const isStarting = !hasCrawl && isUnderWay(run);
  return section(TEXT.crawl, stateOf(hasCrawl, crawls || isUnderWay(run)), [
    ...run.warnings.map((warning) => html`<p class="warning">${warning}</p>`),
    isStarting && html`<p role="status">${TEXT.starting}</p>`,
    commandLine(stepCommand('crawl')),
    !hasCrawl && !isStarting && button(formToken, '/start/crawl', TEXT.startCrawl),
    hasCrawl && button(formToken, '/start/show', TEXT.watch, { what: 'crawl' }),
  ]);
}

function corpus({ hasCrawl }: ProjectState): Markup {
  if (!hasCrawl) return section(TEXT.corpus, '', []);
  return section(TEXT.corpus, '', [commandLine(stepCommand('harvest')), html`<p><a href="/corpus">${TEXT.toCorpus}</a></p>`]);
}
