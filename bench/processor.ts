import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Processor time that a process has used so far, in seconds: what a busy machine does not change. */
export function processorSeconds(pid: number): number {
  const [user = 0, system = 0] = fieldsOf(pid).slice(11, 13);
  return (user + system) / TICKS_PER_SECOND;
}

/** The same of a process and of its children, those that have ended included. */
export function processorSecondsOfFamily(pid: number): number {
  const own = fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + ticks, 0);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid);
  return own / TICKS_PER_SECOND + children.reduce((sum, child) => sum + processorSeconds(Number(child)), 0);
}

function parentOf(pid: number): number {
  return fieldsOf(pid)[1] ?? 0;
}

/** What follows the program's name in its status line; nothing for a process that has ended. */
function fieldsOf(pid: number): number[] {
  try {
    return (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number);
  } catch {
    return [];
  }
}
