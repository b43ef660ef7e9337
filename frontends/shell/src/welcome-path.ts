export const WELCOME_PATH = '/welcome'
