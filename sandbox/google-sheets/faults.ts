export type Call = 'token' | 'read' | 'write';

export interface SheetsFault {
  on: Call;
  /** Default 1. */
  times?: number;
  /**
   * `status`: this answer, nothing is done · `reset-before`: the connection is gone, nothing was done ·
   * `reset-after`: it is done, but the answer is lost · `hang`: it never answers.
   */
  kind: 'status' | 'reset-before' | 'reset-after' | 'hang';
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface FaultList {
  add(fault: SheetsFault): void;
  take(call: Call): SheetsFault | undefined;
  clear(): void;
}

export function createFaults(): FaultList {
  let waiting: SheetsFault[] = [];
  return {
    add: (fault) => void waiting.push({ times: 1, ...fault }),
    take(call) {
      const found = waiting.find(({ on }) => on === call);
      if (!found) return undefined;
      found.times = (found.times ?? 1) - 1;
      if (found.times <= 0) waiting = waiting.filter((one) => one !== found);
      return found;
    },
    clear() {
      waiting = [];
    },
  };
}
