#!/usr/bin/env node
/** The command line: `icon-catalog`. */
import process from 'node:process';
import { main } from './cli/main.ts';
import { createNodeHost } from './cli/host.ts';

process.exitCode = await main(process.argv.slice(2), createNodeHost());
