// An asynchronous boundary: Module Federation must load the shared packages before any code uses them.
void import('./bootstrap.tsx')
