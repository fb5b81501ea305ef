//go:build !static

package gitext

// #cgo pkg-config: libgit2
import "C"
