// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {PlainToken} from "./PlainToken.sol";

/// @notice An ERC-20 that knows whether an account's key signed a message. Code at that account changes nothing.
abstract contract SignedToken is PlainToken {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    string public constant version = "1";

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    function isSigned(address signer, bytes memory message, uint8 v, bytes32 r, bytes32 s) internal view returns (bool) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), keccak256(message)));
        address recovered = ecrecover(digest, v, r, s);
        return recovered != address(0) && recovered == signer;
    }
}
