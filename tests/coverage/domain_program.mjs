// Builds the unit tests of the domain as one small program, with any compiler and for any one changed source.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
const DOMAIN = 'core/src/domain';

/** The sources that decide about licenses, credits, limits, keys and revisions. */
export const MEASURED = ['api_key', 'collection', 'credits', 'credits_manifests', 'credits_pages', 'license', 'plan'].map(
  (name) => `${DOMAIN}/${name}.cpp`,
);

const sourcesIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => `${folder}/${name}`);

/** Their tests, and all that these need. */
export const SOURCES = [
  ...sourcesIn(DOMAIN),
  ...sourcesIn('core/src/text'),
  ...sourcesIn('tests/unit/domain').filter((path) => !path.endsWith('/license_receipt_test.cpp')), // needs the catalog
  'native/src/system/system_ports.cpp',
  'tests/unit/test_main.cpp',
];

const JSON_LIBRARY = join(ROOT, 'build/native/libboost_json.a');
const FLAGS = [
  '-std=c++20', '-O0', '-w', '-ffp-contract=off', '-D_GLIBCXX_ASSERTIONS', // an index beyond the end ends the program
  ...['core/src', 'core/include', 'native/src', 'native/include', 'tests/support'].map((folder) => `-I${join(ROOT, folder)}`),
  `-I${join(ROOT, 'build/native/generated')}`,
  `-DTONEARM_SOURCE_DIR="${ROOT}"`,
];

/** Runs a program. Returns its exit status (null: killed), its output and its errors. */
export function run(program, words, options = {}) {
  return spawnSync(program, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
}

const demand = (program, words) => {
  const { status, stderr } = run(program, words);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}\n${stderr}`);
};


export class DomainProgram {
  /** `extra`: further options of the compiler; `folder`: where the objects are written. */
  constructor(compiler, extra, folder) {
    this.compiler = compiler;
    this.flags = [...FLAGS, ...extra];
    this.folder = join(ROOT, 'build', folder);
    mkdirSync(this.folder, { recursive: true });
    if (!existsSync(join(ROOT, 'build/native/build.ninja'))) demand('cmake', ['--preset', 'release']);
    demand('cmake', ['--build', '--preset', 'release', '--target', 'boost_json']);
  }

  objectOf(source) {
    return join(this.folder, `${source.replaceAll('/', '_')}.o`);
  }

  /** Returns the words of the command that compiles `source`, from another file if `from` is given. */
  compileWords(source, from = source, to = this.objectOf(source)) {
    return [...this.flags, '-iquote', join(ROOT, DOMAIN), '-c', from, '-o', to];
  }

  /** Compiles all sources, as many at once as there are processors. */
  compile() {
    const commands = SOURCES.map((source) => ['ccache', this.compiler, ...this.compileWords(source)]);
    const input = commands.map((words) => words.map((word) => `'${word}'`).join(' ')).join('\n');
    const { status, stderr } = run('xargs', ['-P', String(availableParallelism()), '-I{}', 'sh', '-c', '{}'], {
      input: input.replaceAll(/['"\\]/g, '\\$&'),
    });
    if (status !== 0) throw new Error(stderr);
  }

  /** Links a program in which the objects of some sources are replaced. Returns its path; undefined: it does not link. */
  link(name, replaced = new Map()) {
    const program = join(this.folder, name);
    const objects = SOURCES.map((source) => replaced.get(source) ?? this.objectOf(source));
    const { status, stderr } = run(this.compiler, [...this.flags, ...objects, '-fuse-ld=mold', JSON_LIBRARY, '-lcrypto', '-o', program]);
    if (status !== 0 && replaced.size === 0) throw new Error(stderr);
    return status === 0 ? program : undefined;
  }
}
