package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// identity is the user that the embedded server runs as. It is the current user. For root it is an unprivileged user,
// because PostgreSQL refuses to run as root.
type identity struct {
	name     string
	uid, gid int
	drop     bool // this process is root and must switch to this user
}

// ownIdentity returns the owner of a new cluster: the current user. For root it returns the user postgres if that user
// exists, else nobody.
func ownIdentity() identity {
	if uid := os.Geteuid(); uid != 0 {
		return identity{name: userName(uid), uid: uid, gid: os.Getegid()}
	}
	for _, name := range []string{"postgres", "nobody"} {
		if id, ok := lookup(user.Lookup(name)); ok && id.uid != 0 {
			return id
		}
	}
	return identity{name: "nobody", uid: 65534, gid: 65534, drop: true}
}

// ownerIdentity returns the owner of an existing cluster. Root can switch to that user. Any other user must be the
// owner.
func ownerIdentity(dataDir string) (identity, error) {
	info, err := os.Stat(dataDir)
	if err != nil {
		return identity{}, fmt.Errorf("look at the database files: %w", err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ownIdentity(), nil
	}
	uid, euid := int(st.Uid), os.Geteuid()
	switch {
	case uid == 0:
		return identity{}, fmt.Errorf("root owns the database files in %s, and PostgreSQL does not run as root: "+
			"chown -R them to %s",
			dataDir, ownIdentity().name)
	case euid == 0:
		if id, ok := lookup(user.LookupId(strconv.Itoa(uid))); ok {
			return id, nil
		}
		return identity{name: strconv.Itoa(uid), uid: uid, gid: int(st.Gid), drop: true}, nil
	case euid != uid:
		return identity{}, fmt.Errorf("the database files in %s belong to user %s: run as that user, or choose "+
			"another --data",
			dataDir, userName(uid))
	}
	return ownIdentity(), nil
}

func lookup(u *user.User, err error) (identity, bool) {
	if err != nil {
		return identity{}, false
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	if err1 != nil || err2 != nil {
		return identity{}, false
	}
	return identity{name: u.Username, uid: uid, gid: gid, drop: true}, true
}

func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return strconv.Itoa(uid)
}

// command returns a command that runs a program as this user in dir. The program gets its own session, so that Ctrl-C
// in the terminal reaches only this process, which drains its work before the database stops. The program does not
// inherit the environment, because the environment contains secrets.
func (id identity) command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if id.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	}
	return cmd
}

// own makes this user the owner of path.
func (id identity) own(path string) error {
	if !id.drop {
		return nil
	}
	if err := os.Lchown(path, id.uid, id.gid); err != nil {
		return fmt.Errorf("give %s to user %s: %w", path, id.name, err)
	}
	return nil
}
