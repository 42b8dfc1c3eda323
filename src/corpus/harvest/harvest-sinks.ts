/** The only list of sinks: the first that takes `--out` writes the harvest. To add one, add a file in `sinks/` and a name here. */
import type { HarvestSink } from './harvest-sink.ts';
import { folderSink } from './sinks/folder-sink.ts';
import { s3Sink } from './sinks/s3-sink.ts';

/** A folder takes any path, so it comes last. */
const HARVEST_SINKS: readonly HarvestSink[] = [s3Sink, folderSink];

export function sinkOf(out: string): HarvestSink {
  return HARVEST_SINKS.find((sink) => sink.takes(out)) ?? folderSink;
}

/** Is it a path of this machine? */
export function isFolder(out: string): boolean {
  return sinkOf(out) === folderSink;
}
