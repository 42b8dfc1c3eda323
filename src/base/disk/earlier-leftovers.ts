/** Work that killed commands of Forager 0.2 left beside an output. They had no lock, so a name alone does not show whose a folder is. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CARD_FILE, MODEL_FILE, MODEL_NAMES } from './own-names.ts';

const UUID = /^\.new-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.old)?$/;

/** Leftovers of earlier versions beside one output. */
interface Earlier {
  /** Whole former contents, which were moved away. */
  readonly former: readonly string[];
  /** Half a model, below a random name: nobody else's. */
  readonly halfModels: readonly string[];
  /** Perhaps half a harvest: a user may have a folder of this name. */
  readonly perhapsHalf: readonly string[];
}

function earlierBeside(target: string): Earlier {
  const models = modelsBeside(target);
  return {
    former: [`${target}.harvest-replaced`, ...models.filter((path) => path.endsWith('.old'))].filter(
      (path) => existsSync(join(path, CARD_FILE)) || isModel(path),
    ),
    halfModels: models.filter((path) => !path.endsWith('.old') && namesIn(path).every((name) => MODEL_NAMES.has(name))),
    perhapsHalf: [`${target}.harvest-partial`].filter((path) => namesIn(path).length > 0),
  };
}

/** Is there anything to bring back or to remove? */
export function hasEarlier(target: string): boolean {
  const { former, halfModels } = earlierBeside(target);
  return halfModels.length > 0 || (former.length > 0 && !existsSync(target));
}

/**
 * The former content comes back if there is no other, and half a model goes.
 * @returns a line for each folder that the user has to look at
 * @throws the error of the file system
 */
export function endEarlier(target: string): string[] {
  const { former, halfModels, perhapsHalf } = earlierBeside(target);
  for (const path of halfModels) rmSync(path, { recursive: true });
  const [back] = existsSync(target) ? [] : former;
  if (back !== undefined) renameSync(back, target);
  return [
    ...former
      .filter((path) => path !== back)
      .map(
        (path) => `${path}: is a former output that a killed command of Forager 0.2 moved away; delete it, or move it elsewhere to keep it`,
      ),
    ...perhapsHalf.map(
      (path) => `${path}: is perhaps half a harvest that a killed command of Forager 0.2 left; look into it, and delete it`,
    ),
  ];
}

function modelsBeside(target: string): string[] {
  const prefix = `.${basename(target)}`;
  const names = namesIn(dirname(target)).filter((name) => name.startsWith(prefix) && UUID.test(name.slice(prefix.length)));
  return names.map((name) => join(dirname(target), name)).filter(isFolder);
}

function isModel(path: string): boolean {
  const names = namesIn(path);
  return names.includes(MODEL_FILE) && names.every((name) => MODEL_NAMES.has(name));
}

function namesIn(path: string): readonly string[] {
  return isFolder(path) ? readdirSync(path).toSorted() : [];
}

function isFolder(path: string): boolean {
  // False for a name that is too long, where statSync would throw.
  return existsSync(path) && statSync(path).isDirectory();
}
