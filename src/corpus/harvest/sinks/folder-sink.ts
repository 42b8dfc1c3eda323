import { resolve } from 'node:path';
import { HarvestFolder } from '../../formats/harvest-folder.ts';
import { claimHarvestFolder, hasPages } from '../harvest-output.ts';
import type { HarvestSink } from '../harvest-sink.ts';

export const folderSink = {
  name: 'folder',
  help: 'a path',
  takes: () => true,
  async open({ out, claimed, sources, force = false, now }) {
    const folder = await (claimed ? HarvestFolder.in(claimed, sources) : claimHarvestFolder(out, sources, force));
    const replacesPages = hasPages(folder.target);
    return { folder, place: resolve(out), replacesPages, now, publish: () => folder.publish(), discard: () => folder.discard() };
  },
} as const satisfies HarvestSink;
