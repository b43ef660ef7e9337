import eslint from '@eslint/js'
import importX from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

// Who may import which of our packages; docs/decisions/016 says why.
const kits = ['contracts', 'service-kit', 'messaging']
const tools = ['backends', 'launcher', 'test-kit']
const browserLibs = ['contracts', 'api-client', 'session', 'ui', 'federation', 'album']
const mayImport = {
  'libs/contracts': [],
  'libs/service-kit': ['contracts'],
  'libs/messaging': ['contracts', 'service-kit'],
  'libs/backends': [],
  'libs/launcher': [],
  'libs/test-kit': ['contracts', 'messaging', 'launcher'],
  'libs/api-client': ['contracts'],
  'libs/session': ['contracts', 'api-client'],
  'libs/ui': [],
  'libs/album': ['contracts', 'api-client', 'ui'],
  'libs/federation': ['api-client', 'session', 'ui'],
  'services/*': kits,
  gateway: ['contracts', 'service-kit'],
  'frontends/*': browserLibs,
  e2e: ['contracts', 'federation', 'backends', 'launcher', 'test-kit'],
}

const noOthers = (allowed) => [
  'error',
  {
    patterns: [
      {
        regex: allowed.length ? `^@confetti/(?!(${allowed.join('|')})(/|$))` : '^@confetti/',
        message:
          'This part of the house may not import that one: see docs/decisions/016-who-imports-whom-with-screens.md.',
      },
      { regex: '^(\\.\\./){2,}([^./][^/]*/)*src/', message: 'Import the package by its name.' },
    ],
  },
]

export default tseslint.config(
  { ignores: ['**/node_modules', '.confetti', 'coverage', '**/dist'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/external-module-folders': ['node_modules'],
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Text is counted and cut by code points on purpose.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Fires on every mongoose schema.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions', 'methods'] }],
      'no-console': 'error',
    },
  },
  {
    files: ['frontends/**/*.tsx', 'libs/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
  },
  { files: ['frontends/*/rspack.config.ts', '**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  {
    // Environment and console belong to the composition roots, commands, and development tools.
    files: ['**/*.{ts,tsx}'],
    ignores: [
      '**/src/main.ts',
      '**/src/create-admin.ts',
      'scripts/**',
      'ops/**',
      'libs/{backends,launcher,test-kit}/**',
      '**/test/**',
      'e2e/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only main.ts reads the environment.' },
      ],
    },
  },
  {
    files: [
      'scripts/**',
      '**/src/main.ts',
      '**/src/create-admin.ts',
      'libs/launcher/src/nginx-policy.ts',
      'libs/test-kit/**',
      '**/test/**',
      'e2e/**',
      '**/service-kit/src/service.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/test/**/*.ts', 'e2e/**/*.ts', 'libs/test-kit/**/*.ts'],
    rules: {
      // Answers are looked into freely: that they satisfy their contract is proved by `call`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  ...Object.entries(mayImport).map(([folder, allowed]) => ({
    files: [`${folder}/src/**/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': noOthers(allowed) },
  })),
  {
    files: ['{services/*,gateway,libs/*}/test/**/*.ts'],
    rules: { 'no-restricted-imports': noOthers([...kits, ...tools]) },
  },
  {
    files: ['e2e/**/*.ts'],
    // The guests of a trial and of a benchmark send as the page on their phones does.
    ignores: ['e2e/trial/guests.ts', 'e2e/bench/crowd.ts'],
    rules: { 'no-restricted-imports': noOthers(mayImport.e2e) },
  },
)
