import os from 'node:os';

// For each build webpack starts a thread that loads its minifier again, if the machine has more than one core. Two test
// files run side by side anyway.
Object.assign(os, { availableParallelism: () => 1 });
