import { existsSync } from 'node:fs';

/** Folder with the package.json of this program: above the sources, the build, its bundle and the installed package alike. */
const ROOT = folderWith('package.json', new URL('.', import.meta.url));

/**
 * Address of a file that belongs to this program: a model, a thread, an asset.
 * @param path from the root of the package, with slashes
 */
export function packageFile(path: string): URL {
  return new URL(path, ROOT);
}

function folderWith(name: string, folder: URL): URL {
  const above = new URL('..', folder);
  return existsSync(new URL(name, folder)) || above.href === folder.href ? folder : folderWith(name, above);
}
