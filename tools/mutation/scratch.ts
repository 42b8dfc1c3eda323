/** A copy of the working tree that mutants are written into, sources and what they are compiled to: child processes and threads run the latter. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InvariantError } from '../../src/base/core/errors.ts';
import { instrumented, type Mutant, mutated } from './mutants.ts';

const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', '.git', 'dist', '.cache', 'coverage', 'demo-out']);
/** Refusals of the compiler that say nothing of behaviour: a mutant may leave a name unused. */
const LENIENT = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];

export class Scratch {
  readonly path: string;
  readonly #root: string;

  /** @param number tells copies of one tree apart */
  constructor(root: string, number: number) {
    this.#root = root;
    this.path = join(tmpdir(), `forager-mutation-${digestOf([root])}`, String(number));
    rmSync(this.path, { recursive: true, force: true });
    mkdirSync(join(this.path, 'tmp'), { recursive: true });
    for (const name of readdirSync(root)) if (!NOT_COPIED.has(name)) cpSync(join(root, name), join(this.path, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
    if (!this.compile()) throw new InvariantError(`${root}: src does not compile; run npm run build`);
  }

  /** The mutant stands until `restore`; child processes and threads meet it once it is compiled. */
  write(mutant: Mutant): void {
    writeFileSync(join(this.path, mutant.file), mutated(this.source(mutant.file), mutant.change));
  }

  restore({ file }: Mutant): void {
    writeFileSync(join(this.path, file), this.source(file));
  }

  /** @returns the file as it stands in the repository */
  source(file: string): string {
    return readFileSync(join(this.#root, file), 'utf8');
  }

  /** From the root. */
  sources(room = ''): string[] {
    return readdirSync(join(this.#root, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join('src', room, name))
      .sort();
  }

  /** What a file of `src` and its compiled twin are called here. */
  twins(file: string): string[] {
    return [join(this.path, file), join(this.path, file.replace(/^src/, 'dist').replace(/\.ts$/, '.js'))];
  }

  /**
   * Have every block of the files tell that it was run. @param module the module that exports `hit`
   * @param numberOf the number of a block
   */
  instrument(files: readonly string[], module: string, numberOf: (file: string, block: number) => number): void {
    for (const file of files) {
      const code = instrumented(this.source(file), '__hit', (block) => numberOf(file, block));
      const head = code.startsWith('#!') ? code.indexOf('\n') + 1 : 0;
      writeFileSync(join(this.path, file), `${code.slice(0, head)}import { hit as __hit } from '${module}';${code.slice(head)}`);
    }
    this.compile(); // it calls what it has no types for, and is compiled all the same
  }

  uninstrument(files: readonly string[]): void {
    for (const file of files) writeFileSync(join(this.path, file), this.source(file));
    this.compile();
  }

  /** Does a test file, or what it imports, run what `src` is compiled to? */
  usesCompiled(file: string, known = new Set<string>()): boolean {
    if (known.has(file) || !existsSync(join(this.#root, file))) return false;
    known.add(file);
    const text = this.source(file);
    const imported = [...text.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, path]) => join(dirname(file), path ?? ''));
    return /dist\/|from 'forager'/.test(text) || imported.some((one) => /^(test|tools)/.test(one) && this.usesCompiled(one, known));
  }

  /** Of all that the tests' results hang on, but for what makes the mutants. */
  digest(): string {
    const files = ['src', 'test', 'tools'].flatMap((folder) =>
      readdirSync(join(this.#root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.m?[jt]s$/.test(name) && !name.startsWith('mutation'))
        .map((name) => join(this.#root, folder, name))
        .sort(),
    );
    return digestOf(files.map((file) => readFileSync(file, 'utf8')));
  }

  /** Those that the compiler refuses. One of each file is tried at a time: errors are told by file. */
  refused(mutants: readonly Mutant[]): Set<Mutant> {
    const refused = new Set<Mutant>();
    for (let left = mutants; left.length > 0; ) {
      const together = [...new Map(left.map((one) => [one.file, one])).values()];
      for (const one of together) this.write(one);
      const files = filesOf(this.#check().stdout);
      for (const one of together) this.restore(one);
      const elsewhere = [...files].filter((file) => !together.some((one) => one.file === file));
      for (const one of together) if (files.has(one.file) || (elsewhere.length > 0 && this.#isRefused(one))) refused.add(one);
      left = left.filter((one) => !together.includes(one));
    }
    return refused;
  }

  #isRefused(mutant: Mutant): boolean {
    this.write(mutant);
    const { status } = this.#check();
    this.restore(mutant);
    return status !== 0;
  }

  #check() {
    return spawnSync(join(this.path, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json', '--noEmit', ...LENIENT], {
      cwd: this.path,
      encoding: 'utf8',
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** @returns whether there was nothing to refuse */
  compile(): boolean {
    const state = ['--incremental', '--tsBuildInfoFile', join(this.path, 'tmp', 'build-info')];
    const tsc = join(this.path, 'node_modules', '.bin', 'tsc');
    return spawnSync(tsc, ['-p', 'tsconfig.build.json', ...LENIENT, ...state], { cwd: this.path }).status === 0;
  }
}

/** The files that the compiler complains of. */
function filesOf(output: string): Set<string> {
  return new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file ?? ''));
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 12);
}
