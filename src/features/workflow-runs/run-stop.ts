/** Why a run is to end, or a process is to leave it alone. */
export type StopKind = 'cancelled' | 'max_duration' | 'interrupted' | 'lost';

/** The reason of the signal of a run. */
export class RunStop extends Error {
  readonly kind: StopKind;

  constructor(kind: StopKind) {
    super(`The run is to stop: ${kind}.`);
    this.kind = kind;
  }
}

/** Somebody else has the run, or has ended it. Nothing more is written. */
export class LeaseLost extends Error {}

/** How work on one run is told to end. */
export interface RunControl {
  /** Aborted with a `RunStop`. */
  readonly signal: AbortSignal;
  /** When its wall clock ends, in milliseconds. */
  readonly endsAt: number;
  /** The service is stopping: the current step is the last one. */
  readonly isStopping: () => boolean;
  /** Nobody waits for it any longer. */
  readonly isAbandoned: () => boolean;
}
