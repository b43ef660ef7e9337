import { readFileSync } from 'node:fs'
import { contentSecurityPolicy } from './content-security-policy.ts'

// Prints the policy of the built page that it is given as nginx reads it; the origins are nginx's variables.
const page = readFileSync(process.argv[2] ?? 'index.html', 'utf8')
const policy = contentSecurityPolicy(page, {
  scripts: '$script_origins',
  connections: '$connect_origins',
  media: '$media_origins',
})
console.log(`map "" $content_security_policy {\n  default "${policy}";\n}`)
