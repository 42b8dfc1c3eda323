/** The subject of one page: a crawl directory, its reader, and the run that may be in this process. */
import { systemClock } from '../../base/core/clock.ts';
import { UsageError } from '../../base/core/errors.ts';
import type { Environment } from '../../base/text/written-file.ts';
import type { Monitor } from '../../crawling/monitor/monitor.ts';
import { BackgroundJobs } from './background-jobs.ts';
import { ChildProcessRun } from './child-process-run.ts';
import type { InProcessRun } from './in-process-run.ts';
import { LateLabels } from './late-labels.ts';
import { NewestSurvey } from './newest-survey.ts';
import type { DatedSurvey } from './readings.ts';
import { RpcChild } from './rpc-child.ts';
import { isUnderWay, type Run } from './run.ts';
import type { MachineOptions, RunGiven } from './run-service.ts';
import { STRINGS } from './strings.ts';

export interface OpenedCrawl {
  readonly dir: string;
  readonly reader: RpcChild<'readings'>;
  readonly survey: NewestSurvey;
  /** The labelling session; see `deskOf`. */
  readonly desk: RpcChild<'desk'>;
  /** Further crawls, to compare with. */
  readonly others: readonly OtherCrawl[];
  /** Files `results.json` of forager eval. */
  readonly evaluations: readonly string[];
  readonly jobs: BackgroundJobs;
  /** Labels of the last pages that the survey may not have yet. */
  readonly lateLabels: LateLabels;
  /** The run of this process, or else one in a process of its own. */
  readonly run: Run;
  /** Environment of the command, for files of options. */
  readonly environment: Environment;
  /** Options of this machine for each run that the page starts. */
  readonly machine: MachineOptions;
  /** File of options of its project, for each run; null without one. */
  readonly config: string | null;
  /** Starts a run in a process of its own; null if the run is that of this process. */
  readonly aside: ChildProcessRun | null;
  /** The activity of that run for machines; null if there is none. */
  readonly monitor: Monitor | null;
}

export interface OtherCrawl {
  readonly dir: string;
  readonly reader: RpcChild<'readings'>;
}

export type PlaceOptions = Pick<OpenedCrawl, 'others' | 'evaluations' | 'environment' | 'monitor' | 'machine'> & {
  /** Port of the page; 0 for any. */
  readonly port: number;
  /** Called when there is something new to show. */
  readonly changed: () => void;
};

interface PlaceProject {
  readonly cwd: string;
  readonly config: string;
}

/** @param project folder that paths in its file of options are relative to, and that file; absent for a crawl alone */
export function openPlace(
  dir: string,
  run: InProcessRun | null,
  { changed, port, ...options }: PlaceOptions,
  project?: PlaceProject,
): OpenedCrawl {
  const [reader, desk] = [new RpcChild(dir, 'readings'), new RpcChild(dir, 'desk', port)];
  const survey = new NewestSurvey((given) => reader.ask('survey', given), systemClock);
  const own = {
    ...options,
    config: project?.config ?? null,
    dir,
    reader,
    survey,
    desk,
    lateLabels: new LateLabels(),
    jobs: new BackgroundJobs(dir, changed, { environment: options.environment }),
  };
  if (run !== null) return { ...own, run, aside: null };
  const aside = new ChildProcessRun(dir, port, project?.cwd);
  return { ...own, run: aside, aside };
}

/** The survey that screens show. A crawl that is paused, or that is not running here, is counted at once. */
export async function surveyOf(place: OpenedCrawl): Promise<DatedSurvey> {
  return place.survey.of(await fetches(place));
}

/** Does the crawl change while it is read? */
export async function fetches({ run }: Pick<OpenedCrawl, 'run'>): Promise<boolean> {
  const now = await run.now();
  return isUnderWay(now) && now.state !== 'paused';
}

/**
 * The labelling session. A run that is being opened may not hold the crawl's lock yet: a session would take it, and the run would fail.
 * @throws UsageError as long as the run is being opened
 */
export async function deskOf({ desk, run }: Pick<OpenedCrawl, 'desk' | 'run'>): Promise<RpcChild<'desk'>> {
  if ((await run.now()).state === 'opening') throw new UsageError(STRINGS.label.opening);
  return desk;
}

/** Starts a run beside this process. The labelling session holds a crawl at rest, so it is closed first. @throws UsageError for a file of options that cannot be used */
export async function startRun(
  { aside, desk, environment, config, machine }: OpenedCrawl,
  given: Pick<RunGiven, 'maxPages'> = {},
): Promise<void> {
  if (aside === null) throw new UsageError(STRINGS.run.here);
  if (desk.isRunning) await desk.ask('leave', null);
  await aside.start({ ...given, ...machine, config, environment });
}

/** Ends its processes, and a run aside as Ctrl-C does. Never rejects. */
export async function closePlace({ reader, desk, jobs, aside }: OpenedCrawl): Promise<void> {
  await Promise.all([reader.close(), desk.close(), jobs.close(), aside?.close()]);
}
