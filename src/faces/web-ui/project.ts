/** A folder in which a crawl shall begin: its steps are read from the files that the commands write, so the page may be closed after each. */

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import { isPathThere, isThere } from '../../base/core/on-disk.ts';
import { isLocked } from '../../base/disk/lock.ts';
import { crawlPaths, isCrawlIn, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { COMMANDS } from '../../crawling/settings/commands.ts';
import { ConfigFile, configured } from '../../crawling/settings/config-file.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { type ModelCard, UNKNOWN_HOST } from '../../reading/topic/card.ts';
import { loadCard, MODEL_FILE } from '../../reading/topic/files.ts';
import { checkDirectory, isCheckStarted } from '../app/check-site.ts';
import { PROJECT_FILE, subjectIn } from '../app/project-file.ts';
import { BackgroundJobs } from './background-jobs.ts';
import { closePlace, type OpenedCrawl, openPlace, type PlaceOptions } from './opened-crawl.ts';
import { isOfForm } from './project-answers.ts';
import { STRINGS } from './strings.ts';

/** Content of `forager.yaml`. */
export interface ProjectOptions {
  /** Empty if the file was not written by `forager init`. */
  readonly subject: string;
  readonly train: Partial<OptionsOf<typeof COMMANDS.train>>;
  readonly crawl: Partial<OptionsOf<typeof COMMANDS.crawl>>;
}

export interface ProjectState {
  /** Reason why the files cannot be used; null if they can. */
  readonly fault: string | null;
  /** null before there is a file of options. */
  readonly options: ProjectOptions | null;
  /** May the form replace the file? Not if it holds more than the form knows. */
  readonly isOfForm: boolean;
  /** null before there is a topic model. */
  readonly card: ModelCard | null;
  /** State of the check of the examples' sites. `no-site`: no example has a URL; `of-another`: the check is of an earlier model. */
  readonly check: 'no-site' | 'none' | 'begun' | 'of-another';
  readonly hasCrawl: boolean;
  /** Does a process run it, here or elsewhere? */
  readonly crawls: boolean;
}

const NOTHING: ProjectState = { fault: null, options: null, isOfForm: true, card: null, check: 'no-site', hasCrawl: false, crawls: false };

export class Project {
  readonly folder: string;
  readonly jobs: BackgroundJobs;
  /** Proxy of the command, for the form; empty without one. */
  readonly proxy: string;
  readonly #options: PlaceOptions;
  readonly #places = new Map<string, OpenedCrawl>();
  #shown: 'crawl' | 'check' = 'crawl';

  /** @throws UsageError if there is no such folder */
  constructor(folder: string, options: PlaceOptions) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(STRINGS.start.noFolder(folder));
    this.folder = resolve(folder);
    this.proxy = options.machine.proxy ?? '';
    this.#options = options;
    this.jobs = new BackgroundJobs(this.folder, options.changed, { cwd: this.folder, environment: options.environment });
  }

  /** Never rejects: a file that cannot be read is a fault. */
  async state(): Promise<ProjectState> {
    let known: ProjectState = NOTHING;
    try {
      const file = this.#file();
      if (file === null) return NOTHING;
      const hasCrawl = file.options.crawl.dir !== undefined && isCrawlIn(this.at(file.options.crawl.dir));
      known = {
        ...NOTHING,
        options: file.options,
        isOfForm: isOfForm(file.options, file.text),
        hasCrawl,
        crawls: hasCrawl && isCrawled(this.at(file.options.crawl.dir ?? '')),
      };
      const { out } = file.options.train;
      const card = out !== undefined && isThere(join(this.at(out), MODEL_FILE)) ? await loadCard(this.at(out)) : null;
      return { ...known, card, check: card === null ? 'no-site' : await this.#checkOf(card) };
    } catch (error) {
      return { ...known, isOfForm: false, fault: messageOf(error) };
    }
  }

  /** Chooses the crawl that the other screens are about. */
  show(which: 'crawl' | 'check'): void {
    this.#shown = which;
  }

  /** The crawl that the other screens are about; null as long as there is none. A run that the page started stays on it if the file is lost or changed. */
  place(): OpenedCrawl | null {
    const dir = this.#dirs()?.[this.#shown];
    if (this.#shown === 'crawl' && this.running !== null) return this.running;
    return dir === undefined || !isPathThere(crawlPaths(dir).manifest) ? null : this.#placeAt(dir);
  }

  /** The crawl that the page runs; null if it runs none. */
  get running(): OpenedCrawl | null {
    return [...this.#places.values()].find(({ aside }) => aside?.isUnderWay === true) ?? null;
  }

  /**
   * The place of the project's crawl, even before the crawl exists, or of its site check. @throws UsageError without a file of options that
   * can be used
   */
  placeOf(which: 'crawl' | 'check'): OpenedCrawl {
    const dirs = this.#dirs();
    if (dirs === null) throw new UsageError(STRINGS.start.noFile);
    return this.#placeAt(dirs[which]);
  }

  /** Folder of the topic model. @throws UsageError without a file of options */
  model(): string {
    const { train } = this.#file()?.options ?? {};
    if (train?.out === undefined) throw new UsageError(STRINGS.start.noFile);
    return this.at(train.out);
  }

  /** A path of the file of options. */
  at(path: string): string {
    return resolve(this.folder, path);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await Promise.all([this.jobs.close(), ...[...this.#places.values()].map(closePlace)]);
  }

  async #checkOf({ examplesByHost }: ModelCard): Promise<ProjectState['check']> {
    if (examplesByHost.every(({ host }) => host === UNKNOWN_HOST)) return 'no-site';
    try {
      return (await isCheckStarted(this.model())) ? 'begun' : 'none';
    } catch (error) {
      if (error instanceof UsageError) return 'of-another';
      throw error;
    }
  }

  /** null if there is none. @throws UsageError, DataError if it cannot be used */
  #file(): { readonly options: ProjectOptions; readonly text: string } | null {
    const path = join(this.folder, PROJECT_FILE);
    if (!isThere(path)) return null;
    const file = new ConfigFile(path, this.#options.environment);
    const text = readFileSync(path, 'utf8');
    return { options: { subject: subjectIn(text), train: configured(file, 'train'), crawl: configured(file, 'crawl') }, text };
  }

  /** null without a file of options that can be used. */
  #dirs(): { readonly crawl: string; readonly check: string } | null {
    try {
      const { train, crawl } = this.#file()?.options ?? {};
      if (train?.out === undefined || crawl?.dir === undefined) return null;
      return { crawl: this.at(crawl.dir), check: checkDirectory(this.at(train.out)) };
    } catch {
      return null;
    }
  }

  #placeAt(dir: string): OpenedCrawl {
    const place = this.#places.get(dir) ?? openPlace(dir, null, this.#options, { cwd: this.folder, config: PROJECT_FILE });
    this.#places.set(dir, place);
    return place;
  }
}

/** A labelling session holds the lock too, but runs no crawl. */
function isCrawled(dir: string): boolean {
  return isLocked(crawlPaths(dir).lock) && readManifest(dir).runs.at(-1)?.endedAt === null;
}
