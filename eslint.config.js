import eslint from '@eslint/js'
import importX from 'eslint-plugin-import-x'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

// Which package may import which; CONTRIBUTING.md has the table, docs/decisions/016 the reasons.
const kits = ['contracts', 'service-kit', 'messaging', 'blob-storage']
const tools = ['backends', 'launcher', 'test-kit']
const browserLibs = [
  'contracts',
  'api-client',
  'guest-storage',
  'session',
  'ui',
  'federation',
  'album',
  'i18n',
]
const mayImport = {
  'libs/contracts': [],
  'libs/service-kit': ['contracts'],
  'libs/messaging': ['contracts', 'service-kit'],
  'libs/blob-storage': [],
  'libs/bundler': [],
  'libs/backends': [],
  'libs/launcher': [],
  'libs/test-kit': ['contracts', 'messaging', 'launcher', 'service-kit'],
  'libs/api-client': ['contracts'],
  'libs/session': ['contracts', 'api-client'],
  'libs/guest-storage': [],
  'libs/ui': ['api-client', 'i18n'],
  'libs/i18n': ['contracts', 'api-client'],
  'libs/album': ['contracts', 'api-client', 'session', 'ui', 'i18n'],
  'libs/federation': ['api-client', 'session', 'ui', 'i18n'],
  'services/*': kits,
  gateway: ['contracts', 'service-kit'],
  'frontends/*': browserLibs,
  simulation: [...kits, 'test-kit', 'auth', 'events', 'uploads', 'media', 'contact', 'notifications'],
  e2e: ['contracts', 'federation', 'backends', 'launcher', 'test-kit'],
}

const oldBrowsersLack = {
  selector:
    'CallExpression > MemberExpression[property.name=/^(toReversed|toSorted|toSpliced|findLast|findLastIndex|toWellFormed|isWellFormed|groupBy|withResolvers|fromAsync)$/]',
  message: 'Safari 15.4, Firefox 100 and Chrome 100 do not have this method.',
}
const readAttribute = 'JSXAttribute[name.name=/^(aria-label|title|label|placeholder|alt)$/]'
const readExpression = `:matches(JSXElement, JSXFragment, ${readAttribute}) > JSXExpressionContainer`
const untranslated = {
  selector: [
    'JSXText[value=/[A-Za-z]/]',
    ...[
      readAttribute,
      readExpression,
      `${readExpression} > :matches(ConditionalExpression, LogicalExpression)`,
    ].flatMap((parent) => [
      `${parent} > Literal[value=/[A-Za-z]/]`,
      `${parent} > TemplateLiteral > TemplateElement[value.raw=/[A-Za-z]/]`,
    ]),
  ].join(', '),
  message: 'People read this: put the text into a catalogue, see docs/translations.md.',
}

const restrictImports = (allowed, patterns = []) => [
  'error',
  {
    patterns: [
      {
        regex: allowed.length ? `^@confetti/(?!(${allowed.join('|')})(/|$))` : '^@confetti/',
        message: 'This package may not import that one: see the import table in CONTRIBUTING.md.',
      },
      { regex: '^(\\.\\./){2,}([^./][^/]*/)*src/', message: 'Import the package by its name.' },
      ...patterns,
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
      // Texts are counted and truncated by code points.
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
    // jsx-a11y works with ESLint 10, but its peer range ends at 9: see `overrides` in package.json.
    extends: [reactHooks.configs.flat.recommended, jsxA11y.flatConfigs.recommended],
    rules: {
      // A component may have a prop of this name that does something else.
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
      // Safari removes the list role from a list without markers; an explicit role restores it.
      'jsx-a11y/no-redundant-roles': ['error', { nav: ['navigation'], ol: ['list'], ul: ['list'] }],
    },
  },
  {
    // What the oldest browsers of libs/federation/src/build.ts lack, and nothing adds.
    files: [
      'frontends/*/src/**/*.{ts,tsx}',
      'libs/{album,api-client,contracts,federation,guest-storage,i18n,session,ui}/src/**/*.{ts,tsx}',
    ],
    ignores: ['**/*.test.{ts,tsx}', 'libs/federation/src/{build,build-plugins}.ts'],
    rules: { 'no-restricted-syntax': ['error', oldBrowsersLack] },
  },
  {
    files: ['frontends/*/src/**/*.tsx', 'libs/{album,ui}/src/**/*.tsx'],
    ignores: ['**/*.test.tsx', '**/test/**'],
    rules: { 'no-restricted-syntax': ['error', oldBrowsersLack, untranslated] },
  },
  { files: ['frontends/*/rspack.config.ts', '**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  {
    // Only composition roots, commands and development tools use the environment and the console.
    files: ['**/*.{ts,tsx}'],
    ignores: [
      '**/src/main.ts',
      '**/src/{create-admin,recover-uploads}.ts',
      'scripts/**',
      'ops/**',
      'libs/{backends,launcher,test-kit}/**',
      'simulation/**',
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
      '**/src/{create-admin,recover-uploads}.ts',
      'libs/launcher/src/nginx-policy.ts',
      'libs/test-kit/**',
      'simulation/**',
      '**/test/**',
      'e2e/**',
      '**/service-kit/src/service.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: [
      '**/*.test.{ts,tsx}',
      '**/test/**/*.ts',
      'e2e/**/*.ts',
      'ops/*-tests.ts',
      'libs/test-kit/**/*.ts',
    ],
    rules: {
      // Tests read response bodies as `any`: `call` verifies that they satisfy their contract.
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
    rules: { 'no-restricted-imports': restrictImports(allowed) },
  })),
  {
    // A change of an HTTP response must not change a message.
    files: ['libs/contracts/src/messages/**/*.ts'],
    rules: {
      'no-restricted-imports': restrictImports(
        [],
        [{ regex: '^\\.\\./', message: 'The contract of a message shares nothing with other contracts.' }],
      ),
    },
  },
  {
    // Capabilities do not know how records are stored: `deps.ts` names the types of stores for them.
    files: ['services/*/src/**/*.ts'],
    ignores: ['**/storage/**', '**/src/{start,capabilities,add-admin,open-recovery,deps}.ts'],
    rules: {
      'no-restricted-imports': restrictImports(kits, [
        { regex: '/storage/', message: 'Use the type in deps.ts, or declare one in the capability.' },
      ]),
    },
  },
  {
    // Stores run on backends in memory.
    files: ['services/*/src/**/*.test.ts'],
    rules: { 'no-restricted-imports': restrictImports([...kits, 'test-kit/memory-[a-z]+']) },
  },
  {
    files: ['{services/*,gateway,libs/*}/test/**/*.ts'],
    rules: { 'no-restricted-imports': restrictImports([...kits, ...tools]) },
  },
  {
    files: ['e2e/**/*.ts'],
    // Simulated guests send as the guest page does, and the simulated wall keeps its list as the page does.
    ignores: [
      'e2e/smoke/{call-api,guests,page-guest}.ts',
      'e2e/bench/{live-wall,run-workload,targets/send-direct}.ts',
    ],
    rules: { 'no-restricted-imports': restrictImports(mayImport.e2e) },
  },
)
