/** The forward pass of BERT (Devlin et al. 2019) for words that are one token each. */

import * as wasm from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import * as z from 'zod';
import { DataError, EnvironmentError } from '../../src/base/core/errors.ts';
import type { Tensor } from './safetensors.ts';

/** The sizes in a model's `config.json`. */
export const encoderConfig = z.object({
  hidden_size: z.number().int().positive(),
  num_attention_heads: z.number().int().positive(),
  num_hidden_layers: z.number().int().positive(),
  layer_norm_eps: z.number().positive(),
  hidden_act: z.literal('gelu'),
  position_embedding_type: z.literal('absolute').default('absolute'),
});
export type EncoderConfig = z.infer<typeof encoderConfig>;

/** Tokens of an input: the mark of its begin, the word, the mark of its end. */
const LENGTH = 3;
const OFFSETS = [0, 1, 2] as const;
/** Words a batch: tables of 768 rows stay in the caches of a processor. */
const BATCH = 256;

/** A linear map, and a bias for each of its outputs. */
interface Layer {
  /** Shape [inputs, outputs]. */
  readonly matrix: tf.Tensor2D;
  readonly bias: Float32Array;
}

/**
 * A BERT encoder with mean pooling. TF.js multiplies its matrices in WebAssembly on one thread: WebAssembly defines every rounding, so results are
 * the same bytes on each machine and in each run. All else is plain JavaScript.
 */
export class WordEncoder {
  readonly #tensors: ReadonlyMap<string, Tensor>;
  readonly #config: EncoderConfig;
  readonly #marks: readonly [number, number];
  readonly #layers = new Map<string, Layer>();

  private constructor(tensors: ReadonlyMap<string, Tensor>, config: EncoderConfig, marks: readonly [number, number]) {
    this.#tensors = tensors;
    this.#config = config;
    this.#marks = marks;
  }

  /** @param marks tokens before and after each input @throws EnvironmentError if WebAssembly does not start */
  static async start(tensors: ReadonlyMap<string, Tensor>, config: EncoderConfig, marks: readonly [number, number]): Promise<WordEncoder> {
    wasm.setThreadsCount(1);
    if (!(await tf.setBackend('wasm'))) throw new EnvironmentError('TF.js does not start in WebAssembly; run npm ci and try again');
    return new WordEncoder(tensors, config, marks);
  }

  /** The mean of the last states of each token's input. Shape [tokens, hidden_size]. @throws DataError if the model lacks a tensor */
  vectorsOf(tokens: readonly number[], onBatch: (done: number) => void = () => {}): Float32Array {
    const size = this.#config.hidden_size;
    const out = new Float32Array(tokens.length * size);
    for (let from = 0; from < tokens.length; from += BATCH) {
      const batch = tokens.slice(from, from + BATCH);
      out.set(means(this.#states(batch), size), from * size);
      onBatch(from + batch.length);
    }
    return out;
  }

  /** The last states of a batch. Shape [batch × LENGTH, hidden_size]. */
  #states(tokens: readonly number[]): Float32Array {
    let states = this.#embedded(tokens);
    for (let i = 0; i < this.#config.num_hidden_layers; i++) {
      const at = `encoder.layer.${i}.`;
      const [query, key, value] = ['query', 'key', 'value'].map((name) => this.#linear(states, `${at}attention.self.${name}`));
      const context = attention(query as Float32Array, key as Float32Array, value as Float32Array, this.#config);
      states = this.#joined(states, this.#linear(context, `${at}attention.output.dense`), `${at}attention.output.LayerNorm`);
      const inner = this.#linear(states, `${at}intermediate.dense`);
      for (let j = 0; j < inner.length; j++) inner[j] = gelu(inner[j] as number);
      states = this.#joined(states, this.#linear(inner, `${at}output.dense`), `${at}output.LayerNorm`);
    }
    return states;
  }

  #embedded(tokens: readonly number[]): Float32Array {
    const size = this.#config.hidden_size;
    const [begin, end] = this.#marks;
    const [words, places, kinds] = ['word', 'position', 'token_type'].map((name) => this.#values(`embeddings.${name}_embeddings.weight`));
    const out = new Float32Array(tokens.length * LENGTH * size);
    tokens
      .flatMap((token) => [begin, token, end])
      .forEach((token, row) => {
        const [word, place] = [token * size, (row % LENGTH) * size];
        for (let d = 0; d < size; d++) out[row * size + d] = (words?.[word + d] ?? 0) + (places?.[place + d] ?? 0) + (kinds?.[d] ?? 0);
      });
    return this.#normalised(out, 'embeddings.LayerNorm');
  }

  /** @param change becomes the result */
  #joined(states: Float32Array, change: Float32Array, norm: string): Float32Array {
    for (let i = 0; i < change.length; i++) change[i] = (change[i] as number) + (states[i] as number);
    return this.#normalised(change, norm);
  }

  /** Each row with mean 0 and variance 1, scaled and moved as the layer has learned (Ba, Kiros and Hinton 2016). */
  #normalised(states: Float32Array, name: string): Float32Array {
    const size = this.#config.hidden_size;
    const [weight, bias] = [this.#values(`${name}.weight`), this.#values(`${name}.bias`)];
    for (let from = 0; from < states.length; from += size) {
      let [sum, squares] = [0, 0];
      for (let i = from; i < from + size; i++) sum += states[i] as number;
      const mean = sum / size;
      for (let i = from; i < from + size; i++) squares += ((states[i] as number) - mean) ** 2;
      const deviation = Math.sqrt(squares / size + this.#config.layer_norm_eps);
      for (let d = 0; d < size; d++)
        states[from + d] = (((states[from + d] as number) - mean) / deviation) * (weight[d] as number) + (bias[d] as number);
    }
    return states;
  }

  #linear(states: Float32Array, name: string): Float32Array {
    const { matrix, bias } = this.#layer(name);
    const [inputs, outputs] = matrix.shape;
    const product = tf.tidy(() => tf.matMul(tf.tensor2d(states, [states.length / inputs, inputs]), matrix));
    const out = product.dataSync<'float32'>().slice();
    product.dispose();
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + (bias[i % outputs] as number);
    return out;
  }

  /** A layer for TF.js, whose fast product takes no transposed matrix. */
  #layer(name: string): Layer {
    let layer = this.#layers.get(name);
    if (layer === undefined) {
      const { shape, values } = this.#tensor(`${name}.weight`);
      const matrix = tf.tidy(() => tf.transpose(tf.tensor2d(values, [shape[0] ?? 0, shape[1] ?? 0])));
      layer = { matrix, bias: this.#values(`${name}.bias`) };
      this.#layers.set(name, layer);
    }
    return layer;
  }

  #values(name: string): Float32Array {
    return this.#tensor(name).values;
  }

  #tensor(name: string): Tensor {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw new DataError(`the model has no ${name}; give a BERT encoder`);
    return tensor;
  }
}

/** Attention of each input's tokens to one another (Vaswani et al. 2017), head by head. */
function attention(query: Float32Array, key: Float32Array, value: Float32Array, config: EncoderConfig): Float32Array {
  const size = config.hidden_size;
  const width = size / config.num_attention_heads;
  const out = new Float32Array(query.length);
  for (let input = 0; input < query.length; input += LENGTH * size)
    for (let head = input; head < input + size; head += width)
      for (let row = head; row < head + LENGTH * size; row += size) {
        const shares = softmax(OFFSETS.map((to) => dot(query, row, key, head + to * size, width) / Math.sqrt(width)));
        for (const to of OFFSETS) add(out, row, shares[to] as number, value, head + to * size, width);
      }
  return out;
}

function dot(a: Float32Array, from: number, b: Float32Array, at: number, width: number): number {
  let sum = 0;
  for (let d = 0; d < width; d++) sum += (a[from + d] as number) * (b[at + d] as number);
  return sum;
}

function add(to: Float32Array, at: number, share: number, from: Float32Array, start: number, width: number): void {
  for (let d = 0; d < width; d++) to[at + d] = (to[at + d] as number) + share * (from[start + d] as number);
}

function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - most));
  const sum = parts.reduce((so, part) => so + part, 0);
  return parts.map((part) => part / sum);
}

/** Gaussian error linear unit (Hendrycks and Gimpel 2016). */
function gelu(x: number): number {
  return 0.5 * x * (1 + erf(x / Math.SQRT2));
}

/** Error function to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26). */
export function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** The mean over each input's tokens, the marks too. */
function means(states: Float32Array, size: number): Float32Array {
  const out = new Float32Array(states.length / LENGTH);
  for (let i = 0; i < out.length; i++) {
    const at = Math.floor(i / size) * LENGTH * size + (i % size);
    out[i] = ((states[at] as number) + (states[at + size] as number) + (states[at + 2 * size] as number)) / LENGTH;
  }
  return out;
}
