import os, shutil, subprocess, ctypes, stat, sys, time, glob, fcntl, mmap, zlib, hashlib, struct, socket, tempfile
libc = ctypes.CDLL(None, use_errno=True)

def attempt(f, *a):
  try: return f(*a)
  except OSError as e: return e

# Makes a system call and gives what it returned, or its error.
def call(name, *a):
  r = getattr(libc, name)(*a)
  return r if r >= 0 else -ctypes.get_errno()

def make(path):
  os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
  open(path, 'w').write('x')

FSMONITOR = '[core]\n\tfsmonitor = ../../src/evil.sh\n'

def repository(path, config):
  subprocess.run(['git', 'init', '-q', path])
  open(path + '/.git/config', 'a').write(config)

