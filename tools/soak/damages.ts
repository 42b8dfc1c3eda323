/** Ways to damage a file of a crawl directory, drawn by a seed. */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Rng, shuffled } from '../../src/base/core/rng.ts';
import type { DamageBench } from './damage-bench.ts';

export const KINDS = ['truncate', 'flip', 'zero', 'older', 'other', 'remove', 'read-only'] as const;
export type Kind = (typeof KINDS)[number];

export interface Damage {
  readonly kind: Kind;
  /** Within the crawl directory. */
  readonly file: string;
  /** In [0, 1): where in the file, or how much of it. */
  readonly place: number;
  readonly bit: number;
}

/** Of a block of zeros: a sector or a page of a disk. */
const BLOCKS = [512, 4096];

/** Every kind of damage to every file as often as `count` allows, in an order of chance. */
export function drawDamages(bench: DamageBench, rng: Rng, count: number): Damage[] {
  const damages: Damage[] = [];
  while (damages.length < count) {
    const round = filesOf(bench.dir).flatMap((file) => KINDS.map((kind) => ({ kind, file, place: rng(), bit: Math.floor(rng() * 8) })));
    damages.push(...shuffled(round, rng));
  }
  return damages.slice(0, count);
}

function filesOf(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(dir, join(entry.parentPath, entry.name))).sort();
}

/** @returns false where nothing would change: the file is the same in the other crawl, or is not there */
export function damage(bench: DamageBench, dir: string, { kind, file, place, bit }: Damage): boolean {
  const path = join(dir, file);
  const before = readFileSync(path);
  const at = Math.floor(place * before.length);
  const how: Record<Kind, () => void> = {
    truncate: () => truncateSync(path, at),
    flip: () => write(path, before, (bytes) => bytes.length > 0 && bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)),
    zero: () => write(path, before, (bytes) => bytes.fill(0, at, Math.min(bytes.length, at + (BLOCKS[bit % BLOCKS.length] ?? 0)))),
    older: () => swap(join(bench.older, file), path),
    other: () => swap(join(bench.other, file), path),
    remove: () => rmSync(path),
    'read-only': () => chmodSync(path, 0o444),
  };
  how[kind]();
  return kind === 'read-only' || !existsSync(path) || statSync(path).size !== before.length || !readFileSync(path).equals(before);
}

function write(path: string, before: Buffer, how: (bytes: Buffer) => unknown): void {
  const bytes = Buffer.from(before);
  how(bytes);
  writeFileSync(path, bytes);
}

function swap(from: string, path: string): void {
  if (existsSync(from)) copyFileSync(from, path);
}
