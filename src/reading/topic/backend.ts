import * as tf from '@tensorflow/tfjs-core';
import { EnvironmentError, messageOf } from '../../base/core/errors.ts';

/** Engine of TF.js: libtensorflow of the optional peer package, WebAssembly, or plain JavaScript. */
export type TrainingBackend = 'tensorflow' | 'wasm' | 'cpu';

export interface ChosenBackend {
  readonly backend: TrainingBackend;
  /** The backends tried before it, and why each was not used. One line each. */
  readonly skipped: readonly string[];
}

/** Loads a package that registers a TF.js backend. The first is an optional peer, so the compiler cannot know it. */
const CANDIDATES: readonly { readonly backend: TrainingBackend; readonly load: () => Promise<unknown> }[] = [
  { backend: 'tensorflow', load: () => importOptional('@tensorflow/tfjs-node') },
  { backend: 'wasm', load: () => import('@tensorflow/tfjs-backend-wasm') },
  { backend: 'cpu', load: () => import('@tensorflow/tfjs-backend-cpu') },
];

let chosen: Promise<ChosenBackend> | null = null;

/** Makes the fastest TF.js backend of this installation the current one, once a process. */
export function chooseBackend(): Promise<ChosenBackend> {
  chosen ??= choose();
  return chosen;
}

async function choose(): Promise<ChosenBackend> {
  const skipped: string[] = [];
  for (const { backend, load } of CANDIDATES) {
    try {
      await load();
      if (await tf.setBackend(backend)) return { backend, skipped: skipped };
      skipped.push(`${backend}: did not start`);
    } catch (error) {
      skipped.push(`${backend}: ${firstLine(messageOf(error))}`);
    }
  }
  throw new EnvironmentError(`no TF.js backend starts (${skipped.join('; ')}); install the packages again with npm ci`);
}

/** The name is a variable, so that neither compiler nor bundler requires the package. */
function importOptional(name: string): Promise<unknown> {
  return import(name);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
