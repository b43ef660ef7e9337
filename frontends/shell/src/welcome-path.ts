export const WELCOME = '/welcome'
