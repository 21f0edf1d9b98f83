import { cpuUsage } from 'node:process';

/** Starts a stopwatch. It gives the milliseconds of work so far: what other processes take on a busy machine does not count. */
export function startStopwatch(): () => number {
  const before = cpuUsage();
  return () => {
    const { user, system } = cpuUsage(before);
    return (user + system) / 1000;
  };
}
