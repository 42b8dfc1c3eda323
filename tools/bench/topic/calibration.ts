/** How far calibrated log-odds are from the truth where topics are rarer than in training. */
import { sigmoid } from '../../../src/base/core/odds.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { estimatePrior } from '../../../src/reading/topic/prior.ts';
import { brierScore, expectedCalibrationError } from '../../../src/reading/topic/reliability.ts';

/** Of relevance as the chance to be on topic. */
export interface Calibration {
  readonly error: number;
  readonly brier: number;
  /** After the log-odds were moved by the prior that EM finds in the same scores, labels unseen; as before where that prior is not to be trusted. */
  readonly correctedError: number;
  readonly correctedBrier: number;
  readonly trusted: boolean;
}

interface Judged {
  /** Log-odds. */
  readonly score: number;
  readonly onTopic: boolean;
}

/** Over the pages judged. */
export function calibrationOf(judged: readonly Judged[]): Calibration {
  const prior = estimatePrior(
    judged.map(({ score }) => score),
    { rng: seededRng(1) },
  );
  const shift = prior?.trusted === true ? prior.shift : 0;
  const [before, after] = [relevances(judged, 0), relevances(judged, shift)];
  return {
    error: expectedCalibrationError(before),
    brier: brierScore(before),
    correctedError: expectedCalibrationError(after),
    correctedBrier: brierScore(after),
    trusted: shift !== 0,
  };
}

function relevances(judged: readonly Judged[], shift: number): Judged[] {
  return judged.map(({ score, onTopic }) => ({ score: sigmoid(score + shift), onTopic }));
}
