/** The files of an evaluation in a folder, which may have other files too. */
import { join } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { refuseFileInPath } from '../../base/disk/directories.ts';
import { FILE_OUTPUT, Output, publishFile } from '../../base/disk/output.ts';
import { curvesSvg } from '../../study/eval/curves-svg.ts';
import type { Evaluation } from '../../study/eval/report.ts';

/** File that shows that a folder has an evaluation, so it is written last. */
const RESULTS = 'results.json';
const [REPORT, CURVES] = ['report.md', 'curves.svg'];
/** A web that was recorded for the evaluation. */
const WEB = 'web.jsonl.gz';

/** The claimed files of one evaluation. */
export class EvalOutputs {
  readonly #out: string;
  readonly #files: ReadonlyMap<string, Output>;

  private constructor(out: string, files: ReadonlyMap<string, Output>) {
    [this.#out, this.#files] = [out, files];
  }

  /** @param records will a web be recorded? @throws UsageError for a folder with an evaluation, unless `force` is set, or with other files of these names; StoreError */
  static async claim(out: string, force: boolean, records: boolean): Promise<EvalOutputs> {
    refuseFileInPath(out);
    const hasOne = isThere(join(out, RESULTS));
    if (hasOne && !force)
      throw new UsageError(`${out}: already holds an evaluation; give another --out, or see in forager eval --help how to replace it`);
    const files = new Map<string, Output>();
    const outputs = new EvalOutputs(out, files);
    try {
      // Files of these names without results are not of an evaluation.
      for (const name of [RESULTS, REPORT, CURVES, ...(records ? [WEB] : [])])
        files.set(name, await Output.claim(join(out, name), FILE_OUTPUT, { force: hasOne }));
      return outputs;
    } catch (error) {
      await outputs.abandon();
      throw error;
    }
  }

  /** @param keepWeb writes the recorded web to a path, if there is one. @returns the paths of the files. @throws StoreError */
  async publish(evaluation: Evaluation, markdown: string, keepWeb: (path: string) => boolean): Promise<string[]> {
    const web = this.#files.get(WEB);
    const hasWeb = web !== undefined && keepWeb(web.path);
    if (hasWeb) await web.publish();
    const contents = [
      [REPORT, markdown],
      [CURVES, curvesSvg(evaluation)],
      [RESULTS, `${JSON.stringify(evaluation)}\n`],
    ] as const;
    for (const [name, content] of contents) {
      const output = this.#files.get(name);
      if (output) await publishFile(output, content);
    }
    return [...contents.map(([name]) => name), ...(hasWeb ? [WEB] : [])].map((name) => join(this.#out, name));
  }

  async abandon(): Promise<void> {
    // The first one made the folder, which must be empty when it removes it.
    for (const output of [...this.#files.values()].reverse()) await output.abandon();
  }
}
