/** A folder in which a crawl shall begin: its steps are read from the files that the commands write, so the page may be closed after each. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkDirectory, isCheckBegun } from '../app/check-site.ts';
import { PROJECT_FILE } from '../app/init-project.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { crawlPaths } from '../crawl-dir/crawl-directory.ts';
import type { COMMANDS } from '../settings/commands.ts';
import { ConfigFile, configured } from '../settings/config-file.ts';
import type { OptionsOf } from '../settings/setting.ts';
import { type ModelCard, UNKNOWN_HOST } from '../topic/card.ts';
import { loadCard } from '../topic/files.ts';
import { BackgroundJobs } from './background-jobs.ts';
import { closePlace, type Place, type PlaceOptions, placeOf } from './place.ts';
import { STRINGS } from './strings.ts';

/** What `forager.yaml` says. */
export interface ProjectOptions {
  readonly train: Partial<OptionsOf<typeof COMMANDS.train>>;
  readonly crawl: Partial<OptionsOf<typeof COMMANDS.crawl>>;
}

export interface ProjectState {
  /** Why the files cannot be used; null if they can. */
  readonly fault: string | null;
  /** null before there is a file of options. */
  readonly options: ProjectOptions | null;
  /** null before there is a topic model. */
  readonly card: ModelCard | null;
  /** Of the examples' sites. `no-site`: no example has a URL; `of-another`: of an earlier model. */
  readonly check: 'no-site' | 'none' | 'begun' | 'of-another';
  readonly hasCrawl: boolean;
}

const NOTHING: ProjectState = { fault: null, options: null, card: null, check: 'no-site', hasCrawl: false };

export class Project {
  readonly folder: string;
  readonly jobs: BackgroundJobs;
  readonly #options: PlaceOptions;
  readonly #places = new Map<string, Place>();
  #shown: 'crawl' | 'check' = 'crawl';

  /** @throws UsageError if there is no such folder */
  constructor(folder: string, options: PlaceOptions) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(STRINGS.start.noFolder(folder));
    this.folder = resolve(folder);
    this.#options = options;
    this.jobs = new BackgroundJobs(this.folder, options.changed, { cwd: this.folder, environment: options.environment });
  }

  /** Never rejects. */
  async state(): Promise<ProjectState> {
    try {
      return await this.#read();
    } catch (error) {
      return { ...NOTHING, fault: messageOf(error) };
    }
  }

  /** Which of its crawls the other screens are about. */
  show(which: 'crawl' | 'check'): void {
    this.#shown = which;
  }

  /** The crawl that the other screens are about; null as long as there is none. */
  place(): Place | null {
    const dir = this.#dirs()?.[this.#shown];
    return dir === undefined || !existsSync(crawlPaths(dir).manifest) ? null : this.#placeAt(dir);
  }

  /** Of its crawl, before there is one as well. @throws UsageError without a file of options */
  crawlPlace(): Place {
    const dirs = this.#dirs();
    if (dirs === null) throw new UsageError(STRINGS.start.noFile);
    return this.#placeAt(dirs.crawl);
  }

  /** Folder of the topic model. @throws UsageError without a file of options */
  model(): string {
    const { train } = this.#file() ?? {};
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

  async #read(): Promise<ProjectState> {
    const options = this.#file();
    if (options === null) return NOTHING;
    const { out } = options.train;
    const card = out !== undefined && existsSync(join(this.at(out), 'model.json')) ? await loadCard(this.at(out)) : null;
    const hasCrawl = options.crawl.dir !== undefined && existsSync(crawlPaths(this.at(options.crawl.dir)).manifest);
    return { fault: null, options, card, check: card === null ? 'no-site' : await this.#checkOf(card), hasCrawl };
  }

  async #checkOf({ examplesByHost }: ModelCard): Promise<ProjectState['check']> {
    if (examplesByHost.every(({ host }) => host === UNKNOWN_HOST)) return 'no-site';
    try {
      return (await isCheckBegun(this.model())) ? 'begun' : 'none';
    } catch (error) {
      if (error instanceof UsageError) return 'of-another';
      throw error;
    }
  }

  /** null if there is none. @throws UsageError, DataError if it cannot be used */
  #file(): ProjectOptions | null {
    const path = join(this.folder, PROJECT_FILE);
    if (!existsSync(path)) return null;
    const file = new ConfigFile(path, this.#options.environment);
    return { train: configured(file, 'train'), crawl: configured(file, 'crawl') };
  }

  /** null without a file of options that can be used. */
  #dirs(): { readonly crawl: string; readonly check: string } | null {
    try {
      const { train, crawl } = this.#file() ?? {};
      if (train?.out === undefined || crawl?.dir === undefined) return null;
      return { crawl: this.at(crawl.dir), check: checkDirectory(this.at(train.out)) };
    } catch {
      return null;
    }
  }

  #placeAt(dir: string): Place {
    const place = this.#places.get(dir) ?? placeOf(dir, null, this.#options, this.folder);
    this.#places.set(dir, place);
    return place;
  }
}
