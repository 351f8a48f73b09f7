import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import type { Dispatch } from '../run-operation.ts';

/** The runs of workflows in this process: which it works on, their leases and time limits, and the loop that looks for more. */
export class RunSlots {
  protected readonly instance: Instance;
  protected readonly dispatch: Dispatch;
  #timer: NodeJS.Timeout | undefined;
  #isElsewhere = false;

  constructor(instance: Instance, dispatch: Dispatch) {
    this.instance = instance;
    this.dispatch = dispatch;
  }

  /** For a process that ends with its caller: what it is asked for is stored, and a server does it. */
  leaveToServer(): void {
    this.#isElsewhere = true;
  }

  /** Whether runs are worked on in this process. */
  isOpen(): boolean {
    return !this.#isElsewhere && !this.instance.isDraining();
  }

  /** Begins the loop. */
  start(): void {
    this.#timer ??= setInterval(() => this.wake(), LIMITS.runLookMs).unref();
  }

  /** Makes the loop look at once. Does nothing where no loop runs. */
  wake(): void {}

  /** Ends the loop and the running runs. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }
}
