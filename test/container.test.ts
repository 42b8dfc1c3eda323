/** Dockerfile and .dockerignore, without Docker: the files and scripts that they name exist, and the image runs as its guide says. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly bin: { readonly forager: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const instructions: readonly Instruction[] = [...read('Dockerfile').matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', text = '']) => ({
  name,
  text,
}));
const texts = (name: string, among = instructions) => among.flatMap((one) => (one.name === name ? [one.text] : []));
/** Instructions of the image itself: those of its last stage. */
const image = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

/** The sources and the target of each `COPY`. */
function copies(
  among: readonly Instruction[],
): { readonly stage: string | null; readonly sources: readonly string[]; readonly to: string }[] {
  return texts('COPY', among).map((text) => {
    const [, stage = null, paths = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(text) ?? [];
    const words = paths.split(' ');
    return { stage, sources: words.slice(0, -1), to: words.at(-1) ?? '' };
  });
}

test('each base is a slim image of one even major version of Node that the package supports', () => {
  const bases = texts('FROM').map((text) => text.replace(/ AS \w+$/, ''));
  expect(new Set(bases).size).toBe(1);
  const [, major = ''] = /^node:(\d+)-slim$/.exec(bases[0] ?? '') ?? [];
  expect(Number(major) % 2).toBe(0);
  expect(Number(major)).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]));
});

test('the files that it copies are in the clone and not ignored; all others are ignored', () => {
  const sources = copies(instructions).flatMap(({ stage, sources }) => (stage === null ? sources : []));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  const [all, ...allowed] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(all).toBe('*');
  expect(allowed.toSorted()).toEqual([...new Set(sources.map((path) => `!${path.split('/')[0]}`))].toSorted());
});

test('it copies from the first stage the folder that the build writes', () => {
  const stages = texts('FROM').flatMap((text) => / AS (\w+)$/.exec(text)?.[1] ?? []);
  const { outDir } = (JSON.parse(read('tsconfig.build.json')) as { readonly compilerOptions: { readonly outDir: string } }).compilerOptions;
  const built = copies(image).filter(({ stage }) => stage !== null);
  expect(built.map(({ stage }) => stage)).toEqual(stages);
  expect(built.map(({ sources }) => sources)).toEqual([[join(texts('WORKDIR')[0] ?? '', outDir)]]);
});

test('the scripts of npm that it runs exist, and no install script runs', () => {
  const commands = texts('RUN').flatMap((text) => text.split(' && '));
  const scripts = commands.flatMap((command) => /^npm run (\S+)/.exec(command)?.[1] ?? []);
  expect(scripts).toEqual(['build:code']);
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  const installs = commands.filter((command) => command.startsWith('npm ci'));
  expect(installs).toHaveLength(2);
  expect(installs.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
});

test('the command is that of the package, and is copied to where it looks for its files', () => {
  const [, target = ''] = /ln -s (\S+) \/usr\/local\/bin\/forager/.exec(texts('RUN', image).join(' && ')) ?? [];
  const root = texts('WORKDIR', image)[0] ?? '';
  expect(target).toBe(posix.join(root, manifest.bin.forager));
  expect(copies(image).map(({ to }) => to)).toEqual(expect.arrayContaining([manifest.bin.forager, 'dist', 'models']));
  expect(JSON.parse(texts('ENTRYPOINT', image)[0] ?? '')).toEqual(['forager']);
});

test('it runs in /data, not as root, and is stopped by a signal at which a crawl commits', () => {
  expect(texts('WORKDIR', image).at(-1)).toBe('/data');
  expect(texts('USER', image)).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  const user = texts('USER', image)[0] ?? '';
  expect(texts('RUN', image).join(' ')).toContain(`chown ${user} /data`);
  const after = image.slice(image.findIndex(({ name }) => name === 'USER'));
  expect(texts('RUN', after)).toEqual([]);
  expect(read('src/faces/cli/interrupt.ts')).toContain(`'${texts('STOPSIGNAL', image)[0]}'`);
});
